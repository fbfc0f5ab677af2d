/**
 * Several configurations over one recording, side by side: how well each predicts, what it costs,
 * and what the same code gives without privacy. Exact figures, for inside the trust boundary; start
 * with {@link dev.sotto.evaluation.compare.Comparison}.
 */
package dev.sotto.evaluation.compare;
