import type { ServerResponse } from 'node:http';
import type { JsonWebKeySet, Revocation } from '@paddock/identity';
import { recordingUpstream, respondWithEnvelope, type TestUpstream } from '@paddock/testing';

export interface StandInAuth extends TestUpstream {
	/** Publishes revocations in the feed. */
	revoke(...revocations: Revocation[]): void;
	/** The result of every session check; `silent` = no response. */
	session: 'live' | 'over' | 'silent';
	/** Whether tokens show a recent second factor where one is needed. */
	isSteppedUp: boolean;
	/** Responds, as `session` then says, to the checks that were met with silence. */
	endSilence(): void;
	sessionChecks(): number;
	/** `lost`: the feed responds 503 from now on. */
	feed: 'followed' | 'lost';
}

/** The name of every user. */
export const administratorName = 'Anna Huber';

const internal = '/internal/';

/** A stub of auth that publishes keys and revocations and confirms sessions; other paths return the keys. */
export async function standInAuth(jwks: JsonWebKeySet): Promise<StandInAuth> {
	const revoked: Revocation[] = [];
	const waiting = new Set<() => void>();
	let checks = 0;
	const silenced: (() => void)[] = [];
	const upstream = await recordingUpstream(
		(req, res) => {
			const { pathname, searchParams } = new URL(req.url ?? '/', 'http://auth');
			if (pathname === `${internal}revocations`) respondFeed(res, searchParams);
			else if (pathname === `${internal}session`) {
				checks += 1;
				respondSession(res);
			} else res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(JSON.stringify(jwks));
		},
		{ unrecorded: internal },
	);

	function respondFeed(res: ServerResponse, query: URLSearchParams): void {
		if (auth.feed === 'lost') {
			respondWithEnvelope(res, 503, {});
			return;
		}
		const after = query.get('after');
		const respond = () => {
			clearTimeout(timer);
			waiting.delete(respond);
			const items = revoked.slice(Number(after ?? 0));
			respondWithEnvelope(res, 200, { items, next: String(revoked.length), more: false });
		};
		const timer = setTimeout(respond, Number(query.get('waitMs') ?? 0));
		res.once('close', () => {
			clearTimeout(timer);
			waiting.delete(respond);
		});
		if (after === null || revoked.length > Number(after)) respond();
		else waiting.add(respond);
	}

	function respondSession(res: ServerResponse): void {
		if (auth.session === 'silent') silenced.push(() => respondSession(res));
		else
			respondWithEnvelope(
				res,
				200,
				auth.session === 'live'
					? { live: true, name: administratorName, isSteppedUp: auth.isSteppedUp }
					: { live: false },
			);
	}

	const auth: StandInAuth = {
		...upstream,
		revoke: (...revocations) => {
			revoked.push(...revocations);
			for (const respond of [...waiting]) respond();
		},
		session: 'live',
		isSteppedUp: true,
		endSilence: () => {
			for (const respond of silenced.splice(0)) respond();
		},
		sessionChecks: () => checks,
		feed: 'followed',
	};
	return auth;
}
