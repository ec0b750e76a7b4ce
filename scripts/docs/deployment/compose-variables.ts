import type { ContextDescription } from '@paddock/contract';

type Context = Pick<ContextDescription, 'name'>;

/** The variables that docker-compose.yml reads. */
export function databasePassword({ name }: Context): string {
	return `${name.toUpperCase()}_DB_PASSWORD`;
}

export function serviceSecret({ name }: Context): string {
	return `${name.toUpperCase()}_SERVICE_SECRET`;
}

export function secretVariable(setting: string): string {
	return `PADDOCK_${setting}`;
}

/** A reference without a default: docker-compose stops if the variable is missing. */
export function required(variable: string): string {
	return `\${${variable}:?set ${variable}}`;
}
