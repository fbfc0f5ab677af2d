/**
 * Scoring events with published models on the command line; start with
 * {@link dev.sotto.app.predict.PredictionWriter}.
 */
package dev.sotto.app.predict;
