import type { z } from 'zod';
import { boundsOf } from './setting-facts.ts';

type Environment = Readonly<Record<string, string>>;

export interface ProductionRule {
	readonly name: string;
	/** The error message: `must be off in production`. */
	readonly message: string;
	/** Whether the setting must be set, rather than set to another value. */
	readonly isRequired: boolean;
}

/** Names of the settings that are required with every NODE_ENV. */
export function alwaysRequired(schema: z.ZodObject): string[] {
	return refusals(schema, {}).map(([name]) => name);
}

/** The rules of NODE_ENV=production, found by probing: each setting is omitted, and set to its weakest value. */
export function productionRules(schema: z.ZodObject): ProductionRule[] {
	const settings: Readonly<Record<string, z.ZodType>> = schema.shape;
	return Object.entries(settings).flatMap(([name, setting]): ProductionRule[] => {
		const absent = refusedInProduction(schema, name, {});
		if (absent !== undefined) return [{ name, message: absent, isRequired: true }];
		for (const value of weakestOf(setting)) {
			const message = refusedInProduction(schema, name, { [name]: value });
			if (message !== undefined) return [{ name, message, isRequired: false }];
		}
		return [];
	});
}

/** Values that production may refuse as unsafe. */
function weakestOf(setting: z.ZodType): string[] {
	const bounds = boundsOf(setting);
	return bounds === undefined ? ['on', 'off'] : [String(bounds.minimum)];
}

function refusedInProduction(schema: z.ZodObject, name: string, env: Environment): string | undefined {
	const about = (mode: string) =>
		refusals(schema, { ...env, NODE_ENV: mode }).find(([refused]) => refused === name)?.[1];
	return about('development') === undefined ? about('production') : undefined;
}

function refusals(schema: z.ZodObject, env: Environment): [name: string, message: string][] {
	const issues = schema.safeParse(env).error?.issues ?? [];
	return issues.map((issue) => [String(issue.path[0]), issue.message]);
}
