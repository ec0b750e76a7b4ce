export { createScript, openRedis, type Redis, redisText } from './open-redis.ts';
