import { queryOnce } from '@paddock/database/embedded';
import { demoPassword, demoSignIns as users } from '@paddock/demo';
import type { BroughtUp } from './bring-up.ts';
import { mailDirectoryOf } from './child-environment.ts';
import type { StartConfig } from './config.ts';
import { planServices } from './port-plan.ts';
import { statusOf } from './wait-until-ready.ts';

/** The text printed when the system is up. `pages`: label → address. `signIns` is undefined without demo accounts. */
export function banner(
	config: StartConfig,
	up: BroughtUp,
	pages: readonly (readonly [string, string])[],
	signIns: DemoSignIns | undefined,
): string {
	const rows: (readonly [string, string])[] = [
		['Gateway', up.gatewayUrl],
		...pages,
		['Health', `${up.operationsUrl}/health`],
		[
			'Services',
			planServices(config)
				.map(({ name, portOffset }) => `${name} :${config.port + portOffset}`)
				.join('  '),
		],
		['Registry', up.registry],
		['Database', up.database],
		...(up.note === undefined ? [] : [['', up.note] as const]),
		['Logs', up.logs],
		...mailRow(config),
	];
	const lines = ['', 'Paddock is up.', '', ...rows.map(([label, text]) => `  ${label.padEnd(10)}${text}`)];
	if (signIns) {
		lines.push('', `  Demo sign-ins, all with the password "${signIns.password}":`);
		for (const { email, roles } of signIns.users) lines.push(`    ${email.padEnd(26)}${roles.join(', ')}`);
	} else if (config.demo && config.contexts.some(({ name }) => name === 'auth')) {
		lines.push(
			'',
			'  The demo accounts have been removed. Set ADMIN_EMAIL and ADMIN_PASSWORD to create a first administrator,',
			'  or another DATA_DIR to create new demo data.',
		);
	}
	return [...lines, '', 'Ctrl-C stops everything; the data stays.', ''].join('\n');
}

/** Where the mails are that no server sends. */
function mailRow(config: StartConfig): (readonly [string, string])[] {
	const isSent = config.environment['SMTP_URL'] ?? config.environment['SMTP_URL_FILE'];
	const sends = isSent === undefined && config.contexts.some(({ name }) => name === 'auth');
	return sends ? [['Mails', mailDirectoryOf(config)]] : [];
}

const ofGateway = [
	['Explorer', '/docs'],
	['OpenAPI', '/openapi.yaml'],
	['Postman', '/postman/collection.json'],
] as const;

/** The pages that this deployment serves: label → address. A late response says nothing about that. */
export async function existingPages(
	{ gatewayUrl, operationsUrl }: { readonly gatewayUrl: string; readonly operationsUrl: string },
	signal: AbortSignal,
): Promise<(readonly [string, string])[]> {
	const candidates = [
		...ofGateway.map(([label, path]) => [label, `${gatewayUrl}${path}`] as const),
		['Status', `${new URL(operationsUrl).origin}/status`] as const,
	];
	const pages: (readonly [string, string])[] = [];
	for (const page of candidates) {
		const status = await statusOf(page[1], signal);
		if (status === undefined || status === 200) pages.push(page);
	}
	return pages;
}

interface DemoSignIns {
	password: string;
	users: readonly { email: string; roles: readonly string[] }[];
}

/** The accounts that the auth service creates with DEMO=on. */
export const demoSignIns: DemoSignIns = { password: demoPassword, users };

// The password is unchanged since the account was created.
const usable = `
	select email from users
	where is_demo and status = 'ACTIVE' and password_changed_at = created_at`;

/** The demo sign-ins that still work; undefined if there are none, all of them if the database can't be read. */
export async function existingSignIns(databaseUrl: string): Promise<DemoSignIns | undefined> {
	const rows = await queryOnce<{ email: string }>(databaseUrl, usable).catch(() => undefined);
	if (rows === undefined) return demoSignIns;
	const emails = new Set(rows.map(({ email }) => email));
	const existing = users.filter(({ email }) => emails.has(email));
	return existing.length === 0 ? undefined : { ...demoSignIns, users: existing };
}
