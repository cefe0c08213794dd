// Opens files that are dropped or picked from the disk.

import { content, matters, mediaType, MOST } from "./archive.ts";
import { byId, counted } from "./dom.ts";
import { ask } from "./service.ts";
import { toast } from "./toast.ts";
import type { Archive, Files } from "./types.ts";

type Take = (files: Files, archive: Archive | null, what: string, isWhole: boolean) => void;

/** Collects every file below an entry of a drop, with its path. */
async function walk(entry: FileSystemEntry, found: { path: string; file: File }[]): Promise<void> {
  if (found.length > 5000) return;
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path, file });
  } else if (!/^(\.git|\.terraform|node_modules)$/.test(entry.name)) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      for (const child of some) await walk(child, found);
    }
  }
}

async function openAll(found: { path: string; file: File }[], take: Take, isFolder: boolean): Promise<void> {
  const [only] = found;
  if (found.length === 1 && only && mediaType(only.file.name) !== null) {
    await openArchive(only.file, take);
    return;
  }
  const tops = new Set(found.map(({ path }) => path.split("/")[0]));
  const cut = isFolder && tops.size === 1 ? (tops.values().next().value ?? "").length + 1 : 0;
  const files: Files = {};
  let sum = 0;
  for (const { path, file } of found) {
    if (!matters(path.slice(cut))) continue;
    sum += file.size;
    if (sum > MOST) {
      toast("These files are larger than 16 MB, which is more than this page can hold. Send them to the API as an archive.");
      return;
    }
    files[path.slice(cut)] = content(new Uint8Array(await file.arrayBuffer()));
  }
  const count = Object.keys(files).length;
  if (count === 0) toast("None of these files is configuration: no name ends in .tf, .tofu, .hcl, .tfvars, .sentinel or .json.");
  else take(files, null, `Opened ${counted(count, "file")}.`, isFolder || count > 1);
}

async function openArchive(file: File, take: Take): Promise<void> {
  const type = mediaType(file.name) ?? "";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const archive = { name: file.name, type, bytes };
  try {
    const files = await ask("unpack", { bytes, type });
    const count = Object.keys(files).length;
    if (count > 0) take(files, archive, `Opened ${counted(count, "file")} from ${file.name}.`, true);
    else toast(`${file.name} contains no configuration files.`);
  } catch {
    take({}, archive, `The files of ${file.name} cannot be listed here. The archive is sent unchanged.`, true);
  }
}

/** Lets files be dropped anywhere, and picked with the buttons. */
export function dropZone(take: Take): void {
  const veil = byId("drop");
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => { if (hasFiles(event)) { depth += 1; veil.hidden = false; } });
  addEventListener("dragleave", (event) => { if (hasFiles(event) && --depth <= 0) { depth = 0; veil.hidden = true; } });
  addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    const items = [...event.dataTransfer?.items ?? []];
    const entries = items.map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    const found: { path: string; file: File }[] = [];
    if (entries.length > 0) for (const entry of entries) await walk(entry, found);
    else for (const file of event.dataTransfer?.files ?? []) found.push({ path: file.name, file });
    await openAll(found, take, entries.length === 1 && entries[0]!.isDirectory);
  }, true);

  const files = byId<HTMLInputElement>("pick-files");
  const folder = byId<HTMLInputElement>("pick-folder");
  byId("open-files").addEventListener("click", () => files.click());
  byId("open-folder").addEventListener("click", () => folder.click());
  for (const input of [files, folder]) {
    input.addEventListener("change", async () => {
      const found = [...input.files ?? []].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
      input.value = "";
      if (found.length > 0) await openAll(found, take, input === folder);
    });
  }
}
