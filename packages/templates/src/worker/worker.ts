// The program of a worker that renders templates and does nothing else.
import { serve } from './serve.ts';

serve();
