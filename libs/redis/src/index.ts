export { createScript, openRedis, type Redis, redisValues } from './open-redis.ts';
