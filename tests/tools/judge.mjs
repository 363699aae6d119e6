// snarkjs as a judge for the integration tests: one process that answers many questions.
//
//     INTERLOCK_NODE_TOOLS=target/tools/node/node_modules node tests/tools/judge.mjs
//
// A line of standard input is a request, a line of standard output its answer, both JSON, in order:
//
//     {"op":"verify","vk":PATH,"public":PATH,"proof":PATH}                → {"ok":true} or {"ok":false}
//     {"op":"prove","zkey":PATH,"wtns":PATH,"proof":PATH,"public":PATH}   → {"ok":true}, both files written
//     {"op":"vkey","zkey":PATH,"out":PATH}                                → {"ok":true}, the file written
//
// A failure is {"error":MESSAGE}. The process ends at the end of its input.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const modules = process.env.INTERLOCK_NODE_TOOLS;
if (!modules) {
  console.error("INTERLOCK_NODE_TOOLS is not set: it names the folder that `cargo xtask snarkjs` prints");
  process.exit(2);
}
const { groth16, zKey } = createRequire(resolve(modules, "judge.cjs"))("snarkjs");

const readJson = async (path) => JSON.parse(await readFile(path, "utf8"));

// As snarkjs' own command line writes it.
const writeJson = (path, value) =>
  writeFile(path, JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1));

const operations = {
  async verify({ vk, public: inputs, proof }) {
    return groth16.verify(await readJson(vk), await readJson(inputs), await readJson(proof));
  },
  async prove({ zkey, wtns, proof, public: inputs }) {
    const made = await groth16.prove(zkey, wtns);
    await writeJson(proof, made.proof);
    await writeJson(inputs, made.publicSignals);
    return true;
  },
  async vkey({ zkey, out }) {
    await writeJson(out, await zKey.exportVerificationKey(zkey));
    return true;
  },
};

async function answer(line) {
  try {
    const request = JSON.parse(line);
    if (!Object.hasOwn(operations, request.op)) throw new Error(`unknown op: ${request.op}`);
    return { ok: await operations[request.op](request) };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}

// snarkjs keeps the worker threads of each curve it has used; they would keep the process alive.
await Promise.all([globalThis.curve_bn128, globalThis.curve_bls12381].map((curve) => curve?.terminate()));
