export { openRedis, type RedisDeps } from './open-redis.ts';
export { createScript, type Redis, RedisUnavailableError, type Script } from './redis.ts';
export { redisText } from './redis-text.ts';
