// Installs the tools of evm.mjs in target/tools/evm, in the versions that package-lock.json pins.
//
//     node tests/tools/evm/install.mjs
//
// Does nothing when they are there. Nothing of theirs is committed.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = fileURLToPath(new URL("../../../target/tools/evm/", import.meta.url));
const lock = join(here, "package-lock.json");
// Copied last, so that it also tells that the installation came to its end.
const installed = join(target, "installed.json");

if (!existsSync(installed) || !readFileSync(installed).equals(readFileSync(lock))) {
  mkdirSync(target, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(here, file), join(target, file));
  const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, error } = spawnSync("npm", options, { cwd: target, stdio: ["ignore", "ignore", "inherit"] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(lock, installed);
}
