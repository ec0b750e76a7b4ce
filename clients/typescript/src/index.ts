export { type Client, type ClientOptions, createClient } from './client.ts';
export type { components, ErrorCode, operations, paths } from './contract.generated.ts';
export { type FieldError, NetworkError, PaddockError, SessionEndedError } from './errors.ts';
export type { HealthEvent } from './health-stream.ts';
export type { Versioned } from './operations.ts';
export type { Runtime } from './runtime.ts';
export type { User } from './session.ts';
export type { TokenStorage } from './tokens.ts';
