package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import java.io.IOException;
import java.util.Map;

/**
 * One question, answered by a table and plots; each has a page in docs/experiments. An experiment
 * names its cases, what is measured of one, and the columns and lines of what came out; {@link
 * Trials} runs them.
 */
interface Experiment {
  /** The name on the command line and of its files. */
  String name();

  /** One line about it. */
  String question();

  /** Whether it is about the recorded data sets, without which it is left out. */
  default boolean isOfRecordedData() {
    return true;
  }

  /** Runs it. */
  Outcome run(Trials trials) throws IOException;

  /**
   * What came out.
   *
   * @param summary the best recipes
   * @param all every recipe of the grids
   * @param charts by the end of their file's name
   */
  record Outcome(ResultTable summary, ResultTable all, Map<String, Chart> charts) {
    /** A table without plots. */
    static Outcome of(ResultTable table) {
      return new Outcome(table, table, Map.of());
    }
  }
}
