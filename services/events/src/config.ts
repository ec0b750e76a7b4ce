import { contextSettings } from '@paddock/service/settings';
import type { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = contextSettings(context);

export type EventsSettings = z.output<typeof settings>;
