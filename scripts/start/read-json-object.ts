import { readFile } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** @throws StartError with this message if the file can't be read, or is no JSON object */
export async function readJsonObject(file: string, message: string): Promise<Record<string, unknown>> {
	try {
		const content: unknown = JSON.parse(await readFile(file, 'utf8'));
		if (typeof content === 'object' && content !== null) return { ...content };
		throw new TypeError(`${file} holds no object`);
	} catch (cause) {
		throw new StartError(message, { cause });
	}
}
