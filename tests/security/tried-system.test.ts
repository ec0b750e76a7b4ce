import './protected-paths.ts';
import './internal-addresses.ts';
import './forged-tokens.ts';
import './foreign-ids.ts';
import './assigned-fields.ts';
// Last: it creates records.
import './hostile-input.ts';
