import type { z } from 'zod';
import { whenValid } from '../fields/body-fields.ts';
import { misspelledSettings } from './misspelled-settings.ts';
import { fileVariable, resolveSecretFiles, variablesOf } from './secret-files.ts';
import { type Violation, violationText } from './setting-violation.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown when the settings are not usable; the message lists every violation, one per line. */
export class SettingsError extends Error {
	override readonly name = 'SettingsError';

	constructor(violations: readonly Violation[], options?: ErrorOptions) {
		const lines = violations.map((violation) => `  ${violationText(violation)}`);
		super(['The settings are not usable:', ...lines].join('\n'), options);
	}
}

/**
 * Parses environment variables with a schema whose keys are their names. Variables that are not in the schema are
 * ignored, except for a warning about one that resembles a setting; an empty one counts as absent. A secret `X` may come
 * from the file at `X_FILE`.
 * @throws SettingsError listing every violation.
 */
export function readSettings<S extends z.ZodObject>(schema: S, env: Environment): z.output<S> {
	const { data, violations } = checkSettings(schema, env);
	const misspelled = misspelledSettings(variablesOf(Object.keys(schema.shape)), env);
	if (data === undefined) throw new SettingsError([...violations, ...misspelled]);
	for (const violation of misspelled) process.emitWarning(violationText(violation));
	return data;
}

/** The settings; undefined with violations. */
export function checkSettings<S extends z.ZodObject>(
	schema: S,
	env: Environment,
): { readonly data: z.output<S> | undefined; readonly violations: readonly Violation[] } {
	const names = Object.keys(schema.shape);
	const { env: resolved, fromFile, violations: ofFiles } = resolveSecretFiles(names, env);
	const given = names.flatMap((name) =>
		resolved[name] === undefined || resolved[name] === '' ? [] : [[name, resolved[name]]],
	);
	const { data, error } = schema.safeParse(Object.fromEntries(given));
	// A setting whose file is refused would be listed again as missing.
	const refused = new Set(ofFiles.map(({ name }) => name));
	const others = (error?.issues ?? []).filter(({ path }) => !refused.has(fileVariable(path.join('.'))));
	const violations = others.map((issue): Violation => {
		const name = issue.path.join('.');
		if (fromFile.has(name)) return { name, rule: `${ruleOf(issue)} (from ${fileVariable(name)})` };
		return { name, rule: ruleOf(issue), value: env[name] };
	});
	return { data: ofFiles.length > 0 ? undefined : data, violations: [...ofFiles, ...violations] };
}

function ruleOf(issue: z.core.$ZodIssue): string {
	return issue.code === 'invalid_type' && issue.message.includes('received undefined')
		? 'is required'
		: issue.message;
}

export interface SettingRule<Settings> {
	/** The setting that a violation names, and the others that the rule reads. */
	readonly names: readonly [keyof Settings & string, ...(keyof Settings & string)[]];
	readonly isMet: (settings: Settings) => boolean;
	readonly message: string | ((settings: Settings) => string);
}

/** Adds rules. Each is checked if the settings that it reads are valid, so that all violations are listed at once. */
export function withRules<S extends z.ZodObject>(schema: S, rules: readonly SettingRule<z.output<S>>[]): S {
	return rules.reduce(
		(checked, { names, isMet, message }) =>
			checked.refine(isMet, {
				path: [names[0]],
				error: ({ input }) => (typeof message === 'string' ? message : message(input as z.output<S>)),
				when: whenValid(...names),
			}),
		schema,
	);
}
