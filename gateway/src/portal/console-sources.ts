import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createStaticDocument, lazyDocument, once, type StaticDocument } from './static-document.ts';

export interface ConsoleModule {
	/** Below /assets. */
	readonly name: string;
	readonly code: string;
	/** Names of the modules that it imports before it runs. */
	readonly imports: readonly string[];
}

const clients = new URL('../../../clients/', import.meta.url);
const entry = 'console.main.js';

/** The sources of the console: folders of this project, and packages as they are published. */
export function consoleSources() {
	return {
		folders: [
			{ prefix: 'console.', folder: new URL('console/src/', clients) },
			{ prefix: 'client.', folder: new URL('typescript/src/', clients) },
		],
		packages: {
			'@paddock/client': { name: 'client.index.js', url: undefined },
			...Object.fromEntries(
				['preact', 'preact/hooks', '@preact/signals', '@preact/signals-core', 'openapi-fetch', 'uqr'].map(
					(specifier) => {
						const name = `package.${specifier.replace(/^@/, '').replace('/', '-')}.js`;
						return [specifier, { name, url: import.meta.resolve(specifier) }];
					},
				),
			),
		} as Readonly<Record<string, { readonly name: string; readonly url: string | undefined }>>,
	};
}

const script = 'text/javascript; charset=utf-8';

/** The modules of the console, compiled at the first request for one. Without a bundler: see decision 0077. */
export function openConsole() {
	const compiled = once<ReadonlyMap<string, ConsoleModule>>(compile);
	const document = (name: string): StaticDocument =>
		lazyDocument(async () => createStaticDocument((await compiled()).get(name)?.code ?? '', script));
	return {
		modules: new Map(moduleNames().map((name) => [name, document(name)])),
		/** The modules that the first page needs, the one that runs first. */
		loaded: async () => reachable(await compiled()),
	};
}

function moduleNames(): readonly string[] {
	const { folders, packages } = consoleSources();
	const ours = folders.flatMap(({ prefix, folder }) =>
		readdirSync(folder).map((file) => `${prefix}${basename(file, '.ts')}.js`),
	);
	return [...new Set([...ours, ...Object.values(packages).map(({ name }) => name)])];
}

/** In a thread that ends afterwards, see console-compiler.ts. */
function compile(): Promise<ReadonlyMap<string, ConsoleModule>> {
	return new Promise((resolve, reject) => {
		const options = { execArgv: ['--disable-warning=ExperimentalWarning'] };
		const thread = new Worker(new URL('console-compiler.ts', import.meta.url), options);
		thread.once('error', reject);
		thread.once('exit', (code) => reject(new Error(`The console was not compiled: exit ${code}.`)));
		thread.once('message', (modules: readonly ConsoleModule[]) =>
			resolve(new Map(modules.map((module) => [module.name, module]))),
		);
	});
}

/** The modules that `entry` imports, directly or not, itself first. */
function reachable(modules: ReadonlyMap<string, ConsoleModule>): readonly string[] {
	const found = new Set([entry]);
	for (const name of found) for (const imported of modules.get(name)?.imports ?? []) found.add(imported);
	return [...found];
}
