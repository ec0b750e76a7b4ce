import { openRedis, type Redis } from '@paddock/redis';
import type { Logger } from '@paddock/telemetry';
import type { GatewayConfig } from '../config/config.ts';

/** Redis, if REDIS_URL names one. */
export function openSharedState(
	{ REDIS_URL: url, REDIS_TIMEOUT_MS: timeoutMs }: GatewayConfig,
	logger: Logger,
	now: () => Date,
): Promise<Redis> | undefined {
	return url === undefined ? undefined : openRedis({ url, timeoutMs, logger, now });
}
