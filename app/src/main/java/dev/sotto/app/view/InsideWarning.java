package dev.sotto.app.view;

import java.io.PrintWriter;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What stands above output that is for inside the trust boundary. The table in docs/privacy.md
 * ("What is released, and to whom") lists the commands.
 */
public final class InsideWarning {
  /** Of commands that tell of recordings. */
  public static final String OF_RECORDINGS =
      "Digests, sizes and numbers of records are data of the records: keep them inside the trust"
          + " boundary.";

  /** Of a comparison of published bits with a recording. */
  public static final String OF_OUTCOMES =
      "Output and exit code are for inside the trust boundary, unless you recorded the topic"
          + " yourself: they confirm or refute what a recording holds.";

  private InsideWarning() {}

  /** Prints it in red: above text, and beside JSON on stderr. */
  public static void print(CommandSpec spec, boolean json, String warning) {
    PrintWriter where = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
    where.println(Ansi.AUTO.new Text("@|bold,red " + warning + "|@"));
    where.flush();
  }
}
