import { readFileSync } from 'node:fs';
import { contexts } from '../contexts/contexts.ts';

export interface NewContextNames {
	/** Name of the context and of its table, plural: `clinics`. */
	readonly context: string;
	readonly record: string;
}

const namePattern = /^[a-z][a-z0-9]{1,30}$/;
/** Names that conflict with health components, metrics and folders of the collection. */
const reserved = ['gateway', 'discovery', 'operations', 'portal', 'leaving', 'internal'];

/** @throws TypeError if a name is invalid or taken. */
export function newContextNames(
	[context, ...others]: readonly string[],
	given: string | undefined,
): NewContextNames {
	if (context === undefined || others.length > 0) {
		throw new TypeError('Usage: npm run new-context -- clinics [--record clinic]');
	}
	if (reserved.includes(context) || contexts.some(({ name }) => name === context)) {
		throw new TypeError(`The name ${context} is taken.`);
	}
	const record = given ?? singular(context);
	for (const name of [context, record]) {
		if (!namePattern.test(name)) throw new TypeError(`${name} must be lower-case letters and digits.`);
	}
	if (record === context) throw new TypeError(`Name one record: --record, e.g. --record clinic for clinics.`);
	const operation = `create${capitalised(record)}`;
	const openapi = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
	if (openapi.includes(`operationId: ${operation}\n`)) {
		throw new TypeError(`There already is an operation ${operation}: choose another name with --record.`);
	}
	return { context, record };
}

export function capitalised(name: string): string {
	return name.charAt(0).toUpperCase() + name.slice(1);
}

function singular(plural: string): string {
	if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
	return plural.replace(/(?<=[sx]|ch|sh)es$|s$/, '');
}
