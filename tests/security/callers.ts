import type { ApiResponse } from '@paddock/testing';

/** The callers: one without a token, and one of each role. */
export const callers = ['anonymous', 'member', 'official', 'organiser', 'officer', 'admin'] as const;

export type Caller = (typeof callers)[number];

export interface Call {
	readonly method: string;
	readonly path: string;
	readonly body?: unknown;
}

export type SendAs = (caller: Caller, call: Call) => Promise<ApiResponse<Record<string, unknown>>>;

export const get = (path: string): Call => ({ method: 'GET', path });
export const post = (path: string, body?: unknown): Call => ({ method: 'POST', path, body });
export const put = (path: string, body: unknown): Call => ({ method: 'PUT', path, body });
export const remove = (path: string): Call => ({ method: 'DELETE', path });
