import { existsSync } from 'node:fs';
import type { PersonalTable } from '@paddock/context';
import type { ContextCollection, ContextDescription } from '@paddock/contract';
import type { Database } from '@paddock/database';
import type { Route } from '@paddock/service';
import type { z } from 'zod';

type Context = Pick<ContextDescription, 'name'>;

const services = new URL('../../services/', import.meta.url);

export function routesOf({ name }: Context): Promise<readonly Route<never>[]> {
	return exported(name, 'src/routes.ts', `${name}Routes`);
}

/** The schema of the settings, `settings` of `services/<name>/src/config.ts`. */
export function settingsOf({ name }: Context): Promise<z.ZodObject> {
	return exported(name, 'src/config.ts', 'settings');
}

/** Undefined if the requests follow from the operations' examples alone. */
export async function collectionOf({ name }: Context): Promise<ContextCollection | undefined> {
	if (!existsSync(new URL(`${name}/collection.ts`, services))) return undefined;
	return await exported(name, 'collection.ts', 'collection');
}

/** Of each table the roles of people in it, or the reason for which it has no personal data. */
export type DeclaredPersonalData = Readonly<Record<string, string | readonly PersonalTable<string>[]>>;

export function personalDataOf({ name }: Context): Promise<DeclaredPersonalData> {
	return exported(name, 'src/personal-data.ts', 'personalData');
}

export interface DemoRemoval {
	readonly removed: number;
	/** A consequence that the operator has to know. */
	readonly note?: string;
}

export function demoRemovalOf({
	name,
}: Context): Promise<(db: Database<never>) => Promise<number | DemoRemoval>> {
	return exported(name, 'src/demo.ts', 'removeDemo');
}

async function exported<T>(context: string, file: string, name: string): Promise<T> {
	const module = (await import(new URL(`${context}/${file}`, services).href)) as Record<string, unknown>;
	if (module[name] === undefined) throw new TypeError(`services/${context}/${file} must export ${name}.`);
	return module[name] as T;
}
