import { readFileSync } from 'node:fs';
import type { Violation } from './setting-violation.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether no part of a setting's value may be shown. */
export function isConfidential(name: string): boolean {
	return /(PASSWORD|SECRETS?|TOKEN|OTLP_HEADERS|ENCRYPTION_KEY)$/.test(name);
}

/** Whether a setting can come from a file: confidential ones, and addresses, which may contain a password. */
export function isSecretSetting(name: string): boolean {
	return isConfidential(name) || name.endsWith('_URL');
}

/** The variable with the path of the file that contains a secret, as of images with secrets in files. */
export function fileVariable(name: string): string {
	return `${name}_FILE`;
}

export function variablesOf(names: readonly string[]): readonly string[] {
	return [...new Set(names.flatMap((name) => (isSecretSetting(name) ? [name, fileVariable(name)] : [name])))];
}

interface ResolvedSecrets {
	/** The environment with the content of the files in place of their paths. */
	readonly env: Environment;
	/** The settings that come from a file, usable or not. */
	readonly fromFile: ReadonlySet<string>;
	readonly violations: readonly Violation[];
}

/** Reads the secrets given by a file, without newlines at its end. A setting called `X_FILE` itself has its own rules. */
export function resolveSecretFiles(names: readonly string[], env: Environment): ResolvedSecrets {
	const resolved: Record<string, string | undefined> = { ...env };
	const fromFile = new Set<string>();
	const violations: Violation[] = [];
	for (const name of names.filter((one) => isSecretSetting(one) && !names.includes(fileVariable(one)))) {
		const variable = fileVariable(name);
		const path = env[variable];
		if (path === undefined || path === '') continue;
		fromFile.add(name);
		if (env[name] !== undefined && env[name] !== '') {
			violations.push({ name: variable, rule: `must not be set together with ${name}`, value: path });
			continue;
		}
		const content = contentOf(path);
		if (content === undefined)
			violations.push({ name: variable, rule: 'must be the path of a readable file', value: path });
		else if (content === '')
			violations.push({ name: variable, rule: 'must be the path of a file that is not empty', value: path });
		else resolved[name] = content;
	}
	return { env: resolved, fromFile, violations };
}

function contentOf(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
	} catch {
		return undefined; // The setting's rule says so.
	}
}
