import { readFileSync } from 'node:fs';
import type { ContextDescription } from '@paddock/contract';
import { contexts, serviceMain, serviceName } from '../../contexts/contexts.ts';
import { databasePassword, required, secretVariable, serviceSecret } from './compose-variables.ts';

const template = new URL('../../../deploy/docker-compose.template.yml', import.meta.url);

/** The text of docker-compose.yml: the template with each `@` mark replaced by the version and the parts of all contexts. */
export function composeText(version: string): string {
	const parts: Readonly<Record<string, string>> = {
		image: `paddock:${version}`,
		names: contexts.map(({ name }) => name).join(','),
		dependencies: lines(contexts.map(({ name }) => `      ${name}: { condition: service_healthy }`)),
		services: contexts.map(serviceText).join('\n\n'),
		passwords: lines(
			contexts
				.filter(({ hasDatabase }) => hasDatabase)
				.map((context) => `      ${databasePassword(context)}: ${required(databasePassword(context))}`),
		),
	};
	return readFileSync(template, 'utf8').replace(/^ *# @(\w+)$|'@(\w+)'/gm, (mark, line, value) => {
		const part = parts[line ?? value];
		if (part === undefined)
			throw new TypeError(`The template of docker-compose.yml has an unknown mark ${mark}.`);
		return part;
	});
}

function serviceText(context: ContextDescription): string {
	const { name, portOffset, hasDatabase } = context;
	const port = 8080 + portOffset;
	return lines([
		`  ${name}:`,
		'    <<: *process',
		`    command: [node, ${serviceMain(context)}]`,
		'    environment:',
		'      <<: *service-environment',
		`      PORT: '${port}'`,
		...Object.entries(environmentOf(context)).map(([setting, value]) => `      ${setting}: ${value}`),
		'    depends_on:',
		'      consul: { condition: service_healthy }',
		...(hasDatabase ? ['      postgres: { condition: service_healthy }'] : []),
		'    healthcheck:',
		'      <<: *health',
		`      test: [CMD, node, scripts/health-check.ts, 'http://127.0.0.1:${port}/health']`,
	]);
}

function environmentOf(context: ContextDescription): Readonly<Record<string, string>> {
	const { name, hasDatabase, secrets = {}, client, issuesServiceTokens } = context;
	const database = `paddock_${name}`;
	const clients = contexts.filter((candidate) => candidate.client !== undefined);
	const entry = (one: ContextDescription) => `${serviceName(one)}=${required(serviceSecret(one))}`;
	return {
		...(hasDatabase && {
			DATABASE_URL: `postgres://${database}:${required(databasePassword(context))}@postgres:5432/${database}`,
		}),
		...Object.fromEntries(Object.keys(secrets).map((name) => [name, required(secretVariable(name))])),
		...(client && { SERVICE_SECRET: required(serviceSecret(context)) }),
		...(issuesServiceTokens && { SERVICE_SECRETS: clients.map(entry).join(',') }),
	};
}

function lines(texts: readonly string[]): string {
	return texts.join('\n');
}
