import { type SharedText, type StoredText, sharedText } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { createScript, type Redis } from './redis.ts';

const periodMs = 500;

const readScript = createScript("return redis.call('GET', KEYS[1])");
const writeScript = createScript(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
`);

/** A text in Redis, read twice a second. */
export function redisText(
	redis: Redis,
	key: string,
	{ random, logger }: { readonly random: () => number; readonly logger: Logger },
): SharedText {
	const read = async (): Promise<StoredText> => {
		const text = (await redis.run(readScript, [key], [])) as string | null;
		return { text: text ?? undefined, version: text ?? '' };
	};
	return sharedText(
		{
			next: read,
			read,
			write: async (text, version) => (await redis.run(writeScript, [key], [version, text])) === 1,
		},
		{ key, periodMs, random, logger },
	);
}
