import { z } from 'zod';
import { instant } from './schemas.ts';

export const jobQueue = z.strictObject({
	queue: z.string().describe('Name of the queue.'),
	ready: z.int().min(0).describe('Jobs that could start now.'),
	delayed: z.int().min(0).describe('Jobs that wait for their time, e.g. that of a retry.'),
	active: z.int().min(0).describe('Jobs in progress.'),
	oldestAgeSeconds: z.number().min(0).describe('How long the oldest job that could start has waited.'),
	deadLetters: z.int().min(0).describe('Jobs whose attempts have all failed.'),
});

export const deadLetter = z.strictObject({
	id: z.uuid().describe('UUID of the dead letter.'),
	queue: z.string().describe('Name of the queue.'),
	attempts: z.int().min(0).describe('Number of attempts.'),
	createdAt: instant.describe('When the job was added, in UTC.'),
	failedAt: instant.describe('When the last attempt failed, in UTC.'),
	error: z.string().describe('Message of the last failure.'),
});
