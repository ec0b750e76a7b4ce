import { existsSync, readdirSync } from 'node:fs';
import type { Migration } from '@paddock/database';

const services = new URL('../../services/', import.meta.url);

export function migratedContexts(): string[] {
	return readdirSync(services).filter((context) =>
		existsSync(new URL(`${context}/src/migrations.ts`, services)),
	);
}

export async function migrationsOf(context: string): Promise<Record<string, Migration>> {
	const { migrations } = (await import(new URL(`${context}/src/migrations.ts`, services).href)) as {
		migrations: Record<string, Migration>;
	};
	return migrations;
}
