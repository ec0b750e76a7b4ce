import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '@paddock/testing';
import { type Configuration, Provider } from 'oidc-provider';

/** An account at the provider. */
export interface ProviderAccount {
	readonly sub: string;
	readonly email?: string;
	readonly email_verified?: boolean;
	readonly given_name?: string;
	readonly family_name?: string;
	readonly name?: string;
}

export const client = { id: 'paddock', secret: 'a-secret-of-the-client-with-32-characters' };

export interface RealProvider {
	readonly issuer: string;
	/** Paths that were requested. */
	readonly requests: string[];
	/** Who signs in next. */
	account: ProviderAccount;
	/** Refuses the consent instead. */
	declines: boolean;
	/** Replies with this status, or waits for ever, also at its discovery only, if set. */
	outage: number | 'silent' | 'silentDiscovery' | undefined;
	/** The key set that it shows, if not its own. */
	shownKeys: object | undefined;
	/** Signs with a new key from now on, and shows only that. */
	rotateKeys(): void;
	stop(): Promise<void>;
	/** At the same address, after `stop`. */
	start(): Promise<void>;
}

/** The package oidc-provider on a free port, whose login and consent pages are decided by the test. */
export async function startProvider(redirectUri: string): Promise<RealProvider> {
	const port = await freePort();
	const issuer = `http://127.0.0.1:${port}`;
	let provider = createProvider(issuer, redirectUri, () => running.account);
	let server: Server | undefined;
	const running: RealProvider = {
		issuer,
		requests: [],
		account: { sub: 'nobody' },
		declines: false,
		outage: undefined,
		shownKeys: undefined,
		rotateKeys: () => {
			provider = createProvider(issuer, redirectUri, () => running.account);
		},
		stop: async () => {
			server?.closeAllConnections();
			await new Promise((resolve) => server?.close(resolve));
		},
		start: async () => {
			server = createServer((req, res) => void respond(req, res));
			server.listen(port, '127.0.0.1');
			await once(server, 'listening');
		},
	};
	const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
		const path = (req.url ?? '').split('?')[0] ?? '';
		running.requests.push(path);
		if (running.outage === 'silent') return;
		const isDiscovery = path.includes('.well-known');
		if (running.outage === 'silentDiscovery') {
			if (isDiscovery) return;
		} else if (running.outage !== undefined) return void res.writeHead(running.outage).end();
		if (path === '/jwks' && running.shownKeys !== undefined)
			return void res
				.writeHead(200, { 'Content-Type': 'application/json' })
				.end(JSON.stringify(running.shownKeys));
		if (!path.startsWith('/interaction/')) return void (await provider.callback()(req, res));
		const { account, declines } = running;
		if (declines) return provider.interactionFinished(req, res, { error: 'access_denied' });
		const grant = new provider.Grant({ accountId: account.sub, clientId: client.id });
		grant.addOIDCScope('openid email profile');
		const consent = { grantId: await grant.save() };
		await provider.interactionFinished(req, res, { login: { accountId: account.sub }, consent });
	};
	await running.start();
	return running;
}

function createProvider(issuer: string, redirectUri: string, account: () => ProviderAccount): Provider {
	const configuration: Configuration = {
		clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
		jwks: { keys: [newKey()] },
		cookies: { keys: [randomUUID()] },
		pkce: { required: () => true },
		features: { devInteractions: { enabled: false } },
		interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
		claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
		findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...account(), sub }) }),
	};
	return new Provider(issuer, configuration);
}

export function newKey() {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomUUID() };
}
