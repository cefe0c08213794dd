# `nix run github:OWNER/overfold -- merge infra/prod`. Builds the program from this source.
{
  description = "Merges the override files of Terraform and OpenTofu modules, and says what is in effect";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      manifest = builtins.fromTOML (builtins.readFile ./Cargo.toml);
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: rec {
        default = overfold;
        overfold = pkgs.rustPlatform.buildRustPackage {
          pname = "overfold";
          version = manifest.workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          buildFeatures = [ "otlp" "nats" ];
          cargoBuildFlags = [ "--bin" "overfold" ];
          # The tests need more than the program does, and take longer than the build.
          doCheck = false;
          # What `overfold --version` names; there is no git in the build.
          OVERFOLD_COMMIT = self.rev or "unknown";
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = pkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
            installShellCompletion --cmd overfold \
              --bash <($out/bin/overfold completions bash) \
              --fish <($out/bin/overfold completions fish) \
              --zsh <($out/bin/overfold completions zsh)
          '';
          meta = {
            description = "Merges the override files of Terraform and OpenTofu modules";
            homepage = "https://github.com/OWNER/overfold";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "overfold";
          };
        };
      });
    };
}
