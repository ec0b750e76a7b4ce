import type { Registry } from '@paddock/discovery';
import { createTokenVerifier } from '@paddock/identity';
import { openAuthKeys } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { GatewayConfig } from '../config.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { createLiveSessions } from './live-sessions.ts';

export interface OpenAccessDeps {
	readonly config: GatewayConfig;
	readonly registry: Registry;
	readonly metrics: GatewayMetrics;
	readonly logger: Logger;
	readonly now: () => Date;
}

/** How long readiness waits for the keys of the auth context, which may be down. */
export const keysPatienceMs = 5_000;

/** The parts that follow auth: keys, revoked tokens and live sessions. */
export function openAccess({ config, registry, metrics, logger, now }: OpenAccessDeps) {
	const auth = openAuthKeys({ registry, logger, now });
	const verifier = createTokenVerifier({
		keys: auth.keys,
		revocations: auth.revocations,
		issuer: config.TOKEN_ISSUER,
		audience: config.TOKEN_AUDIENCE,
		now,
	});
	const sessions = createLiveSessions({
		registry,
		timeoutMs: config.SESSION_CHECK_TIMEOUT_MS,
		logger,
		now,
		onChecked: metrics.countSessionCheck,
	});
	return {
		auth,
		verifier,
		sessions,
		close: (): void => {
			sessions.close();
			auth.close();
		},
	};
}
