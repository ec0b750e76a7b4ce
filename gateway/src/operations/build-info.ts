import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { z } from 'zod';
import type { info } from './operations-schemas.ts';

/** The running version. */
export type BuildInfo = Omit<z.output<typeof info>, 'contexts' | 'uptimeSeconds'>;

/** The version of the project, as in openapi.yaml; those of its private workspaces don't follow it. */
export async function readVersion(): Promise<string> {
	const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
	const { version } = JSON.parse(text) as { version: string };
	return version;
}

/** Settings have precedence; without them the commit of the checkout in `root`, if it is one. */
export async function readBuildInfo(
	settings: { readonly BUILD_COMMIT?: string | undefined; readonly BUILD_TIME?: string | undefined },
	options: { readonly root: string; readonly version: string },
): Promise<BuildInfo> {
	const checkout = settings.BUILD_COMMIT === undefined ? await readCheckout(options.root) : undefined;
	return {
		application: { name: 'paddock-gateway', version: options.version },
		build: { time: settings.BUILD_TIME ?? null },
		git: { commit: settings.BUILD_COMMIT ?? checkout?.commit ?? null, branch: checkout?.branch ?? null },
		node: { version: process.version },
	};
}

interface Checkout {
	readonly commit: string | undefined;
	readonly branch: string | undefined;
}

// https://git-scm.com/docs/gitrepository-layout: HEAD holds a commit, or the name of a branch whose commit is in a
// file of that name or in packed-refs. In a worktree `.git` is a file that says where all that is.
async function readCheckout(root: string): Promise<Checkout | undefined> {
	const folder = await gitFolder(root);
	const head = await textOf(join(folder, 'HEAD'));
	if (head === undefined) return undefined;
	const ref = /^ref: (refs\/heads\/(.+))$/.exec(head);
	if (ref === null) return { commit: commitIn(head), branch: undefined };
	const [, name = '', branch] = ref;
	const commonFolder = resolve(folder, (await textOf(join(folder, 'commondir'))) ?? '.');
	const loose = (await textOf(join(folder, name))) ?? (await textOf(join(commonFolder, name)));
	const packed = loose ?? packedRef(await textOf(join(commonFolder, 'packed-refs')), name);
	return { commit: commitIn(packed ?? ''), branch };
}

async function gitFolder(root: string): Promise<string> {
	const pointer = /^gitdir: (.+)$/.exec((await textOf(join(root, '.git'))) ?? '')?.[1];
	if (pointer === undefined) return join(root, '.git');
	return isAbsolute(pointer) ? pointer : join(root, pointer);
}

function packedRef(text: string | undefined, name: string): string | undefined {
	return text?.split('\n').find((line) => line.endsWith(` ${name}`));
}

function commitIn(text: string): string | undefined {
	return /^[0-9a-f]{40,64}/.exec(text)?.[0];
}

// No such file; a folder where a file might be; a file where a folder might be.
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR']);

/** Undefined if the file doesn't exist. */
async function textOf(path: string): Promise<string | undefined> {
	try {
		return (await readFile(path, 'utf8')).trim();
	} catch (error) {
		if (typeof error === 'object' && error !== null && 'code' in error && absent.has(error.code))
			return undefined;
		throw error;
	}
}
