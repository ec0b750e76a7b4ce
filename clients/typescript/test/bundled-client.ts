import { readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { rollup } from 'rollup';

/** The client from its entry point, `.js` or `.ts`, with its dependency as one module; and what it imports nevertheless. */
export async function bundledClient(entry: string): Promise<{ code: string; imports: readonly string[] }> {
	const bundle = await rollup({
		input: entry,
		plugins: [{ name: 'packages and types', resolveId: resolved, load: javascript }],
	});
	const { output } = await bundle.generate({ format: 'es' });
	await bundle.close();
	return { code: output[0].code, imports: output[0].imports };
}

function resolved(id: string, importer = ''): string | null {
	if (id.startsWith('.')) return join(dirname(importer), id);
	// `require` finds the CommonJS variant; the module is beside it.
	return /^[a-z@]/.test(id) && !id.startsWith('node:')
		? createRequire(importer)
				.resolve(id)
				.replace(/\.cjs$/, '.mjs')
		: null;
}

async function javascript(path: string): Promise<string> {
	const code = await readFile(path, 'utf8');
	return path.endsWith('.ts') ? stripTypeScriptTypes(code) : code;
}
