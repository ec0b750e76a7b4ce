import {
	createSettableRegistry,
	recordingUpstream,
	respondWithEnvelope,
	type SettableRegistry,
	type TestUpstream,
} from '@paddock/testing';
import { type RunningMasterdata, runMasterdata } from './running-masterdata.ts';

export const referring = ['members-service', 'horses-service', 'events-service'] as const;
export type Referring = (typeof referring)[number];
export type Responder = Parameters<typeof recordingUpstream>[0];

/** Master data beside stubs of the contexts that refer to its records. */
export interface ReferringContexts {
	readonly masterdata: RunningMasterdata;
	readonly registry: SettableRegistry;
	readonly servers: ReadonlyMap<Referring, TestUpstream>;
	/** References that a service reports, by its name. */
	readonly counts: Map<Referring, number>;
	/** Responses in place of the count. */
	readonly misbehaving: Map<Referring, Responder>;
	close(): Promise<void>;
}

const token = 'token of the masterdata service';

export async function runReferringContexts(): Promise<ReferringContexts> {
	const counts = new Map<Referring, number>();
	const misbehaving = new Map<Referring, Responder>();
	const servers = new Map<Referring, TestUpstream>();
	const auth = await recordingUpstream((_req, res) =>
		respondWithEnvelope(res, 200, { accessToken: token, expiresIn: 900, scopes: [] }),
	);
	for (const service of referring) {
		const respond: Responder = (req, res, body) => {
			const other = misbehaving.get(service);
			if (other !== undefined) other(req, res, body);
			else if (req.headers.authorization !== `Bearer ${token}`)
				respondWithEnvelope(res, 401, { code: 'INVALID_TOKEN', status: 401, requestId: 'r' });
			else respondWithEnvelope(res, 200, { count: counts.get(service) ?? 0 });
		};
		servers.set(service, await recordingUpstream(respond));
	}
	const registry = createSettableRegistry({
		'auth-service': [auth.url],
		...Object.fromEntries([...servers].map(([service, { url }]) => [service, [url]])),
	});
	const contexts = ['auth', 'members', 'masterdata', 'horses', 'events'] as const;
	const masterdata = await runMasterdata({ CONTEXTS: [...contexts], PEER_TIMEOUT_MS: 500 }, registry);
	return {
		masterdata,
		registry,
		servers,
		counts,
		misbehaving,
		close: async () => {
			await masterdata.close();
			await Promise.all([auth, ...servers.values()].map((server) => server.close()));
		},
	};
}
