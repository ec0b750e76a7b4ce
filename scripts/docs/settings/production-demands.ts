import type { z } from 'zod';
import { boundsOf } from './setting-facts.ts';

type Environment = Readonly<Record<string, string>>;

/** What is demanded of one setting. */
export interface Demand {
	readonly name: string;
	/** In the words of the refusal: `must be off in production`. */
	readonly message: string;
	/** It has to be given, not merely to be something else. */
	readonly isRequired: boolean;
}

/** A usable value of what is required everywhere: without it a schema doesn't get as far as to its other rules. */
const samples: Environment = { DATABASE_URL: 'postgres://role:password@localhost:5432/database' };

/** What a process can't start without, whatever NODE_ENV says. @throws TypeError when `samples` lacks one of them */
export function alwaysRequired(schema: z.ZodObject): string[] {
	const names = refusals(schema, {}).map(([name]) => name);
	const unknown = names.filter((name) => samples[name] === undefined);
	if (unknown.length > 0) throw new TypeError(`There is no sample of ${unknown.join(', ')}.`);
	return names;
}

/**
 * What NODE_ENV=production demands beyond the rules that always hold. Found out by asking: each setting is left out and
 * given at its weakest, and what is refused in production only is a demand.
 */
export function productionDemands(schema: z.ZodObject): Demand[] {
	const given = Object.fromEntries(alwaysRequired(schema).map((name) => [name, samples[name] ?? '']));
	const settings: Readonly<Record<string, z.ZodType>> = schema.shape;
	return Object.entries(settings).flatMap(([name, setting]): Demand[] => {
		const absent = refusedInProduction(schema, name, given);
		if (absent !== undefined) return [{ name, message: absent, isRequired: true }];
		for (const value of weakestOf(setting)) {
			const message = refusedInProduction(schema, name, { ...given, [name]: value });
			if (message !== undefined) return [{ name, message, isRequired: false }];
		}
		return [];
	});
}

/** Values that an installation which has to be safe may not allow. */
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
