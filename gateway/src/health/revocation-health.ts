import type { RevocationFeedStatus } from '@paddock/identity';
import type { Context } from '../contexts.ts';
import type { RevocationHealth } from './health-schemas.ts';

/** The state of the revocation feed as health and metrics show it. A deployment without auth has no feed. */
export function revocationHealth(
	contexts: readonly Context[],
	{ stale, lastResponseAt }: RevocationFeedStatus,
	now: Date,
): RevocationHealth {
	if (!contexts.some(({ checksSessions }) => checksSessions === true))
		return { stale: false, ageSeconds: null };
	if (lastResponseAt === undefined) return { stale, ageSeconds: null };
	const ageMs = Math.max(0, now.getTime() - lastResponseAt.getTime());
	return { stale, ageSeconds: Math.round(ageMs / 100) / 10 };
}
