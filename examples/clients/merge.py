"""Merges one module with the generated client: as JSON, as an archive, and as a form. Usage: merge.py URL"""

import io
import json
import sys
import tarfile

from overfold_client import Client
from overfold_client.api.merge import post_merge
from overfold_client.models import MergeAnswer, MergeForm, MergeOptions, MergeRequest, Problem
from overfold_client.models import Part, PostMergeConfigFormat
from overfold_client.types import File

FILES = {
    "main.tf": 'resource "terraform_data" "web" {\n  input = "blue"\n}\n',
    "override.tf": 'resource "terraform_data" "web" {\n  input = "grün"\n}\n',
}
EXPECTED = {"resource": {"terraform_data": {"web": [{"input": "grün"}]}}}


def archive():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in FILES.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    packed.seek(0)
    return packed


def check(form, answer):
    assert isinstance(answer, MergeAnswer), answer
    assert answer.valid, answer
    module = answer.module.to_dict()
    assert module["config"] == EXPECTED, module["config"]
    print(f"python: {form}: {json.dumps(module['config'], ensure_ascii=False)}")


def main():
    client = Client(base_url=sys.argv[1])
    shape = PostMergeConfigFormat.HCL2JSON

    request = MergeRequest.from_dict({"files": FILES, "include": ["config", "files"]})
    check("JSON", post_merge.sync(client=client, body=request))

    body = File(payload=archive(), mime_type="application/gzip")
    check("tar.gz", post_merge.sync(client=client, body=body, include="config,files", config_format=shape))

    files = [File(payload=io.BytesIO(text.encode()), file_name=name) for name, text in FILES.items()]
    form = MergeForm(files=files, options=MergeOptions(include=[Part.CONFIG, Part.FILES]))
    check("form", post_merge.sync(client=client, body=form))

    form = MergeForm(archive=File(payload=archive(), file_name="module.tar.gz"))
    check("form with an archive", post_merge.sync(client=client, body=form))

    problem = post_merge.sync(client=client, body=MergeRequest.from_dict({"files": FILES, "root": "nowhere"}))
    assert isinstance(problem, Problem), problem
    assert problem.status == 422, problem
    print(f"python: a problem: {problem.detail}")


main()
