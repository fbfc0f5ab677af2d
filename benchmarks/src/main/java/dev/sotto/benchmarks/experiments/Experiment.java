package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import java.io.IOException;
import java.util.Map;

/** One question, answered by a table and plots; each has a page in docs/experiments. */
interface Experiment {
  /** The name on the command line and of its files. */
  String name();

  /**
   * Runs it.
   *
   * @param quick a tenth of the work, to see that it runs: its figures answer nothing
   */
  Outcome run(boolean quick) throws IOException;

  /**
   * What came out.
   *
   * @param summary the best recipes
   * @param all every recipe of the grids
   * @param charts by the end of their file's name
   */
  record Outcome(ResultTable summary, ResultTable all, Map<String, Chart> charts) {}
}
