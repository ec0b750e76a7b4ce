export { openRedis } from './open-redis.ts';
export { createScript, type Redis } from './redis.ts';
export { redisText } from './redis-text.ts';
