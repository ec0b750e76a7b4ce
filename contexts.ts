// Every context of the system, one line each; `npm run new-context` adds one. Read through scripts/contexts/contexts.ts.
export { context as auth } from './services/auth/context.ts';
export { context as events } from './services/events/context.ts';
export { context as horses } from './services/horses/context.ts';
export { context as masterdata } from './services/masterdata/context.ts';
export { context as members } from './services/members/context.ts';
export { context as ping } from './services/ping/context.ts';
