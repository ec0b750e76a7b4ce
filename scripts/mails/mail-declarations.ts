import { globSync } from 'node:fs';
import type { MailDeclaration } from '@paddock/mail';

const services = new URL('../../services/', import.meta.url);

/** The declarations of all mails: what the files `*-texts.ts` of the contexts export. */
export async function mailDeclarations(): Promise<readonly MailDeclaration<object>[]> {
	const files = globSync('*/src/**/*-texts.ts', { cwd: services }).toSorted();
	const modules = await Promise.all(
		files.map((file) => import(new URL(file, services).href) as Promise<Record<string, unknown>>),
	);
	return modules.flatMap((module) => Object.values(module)).filter(isDeclaration);
}

function isDeclaration(value: unknown): value is MailDeclaration<object> {
	return typeof value === 'object' && value !== null && 'example' in value && 'de' in value && 'en' in value;
}
