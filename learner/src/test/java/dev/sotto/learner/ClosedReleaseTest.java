package dev.sotto.learner;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks the compiler itself what code outside the release package can do with a sum. */
class ClosedReleaseTest {
  @TempDir
  static Path out;

  private static final List<String> THEFTS = List.of(
      "return sum.sum; | sum",
      "return sum.lattice(); | lattice",
      "sum.clear(); return null; | clear",
      "sum.restore(new double[3], 1); return null; | restore",
      "return new NoisySum(1, null, lattice); | NoisySum",
      "return NoisySum.ofQuery(1, new long[3], 1, 1); | ofQuery",
      "return NoisySum.ofTree(1, null, 1, 1); | ofTree",
      "return new QueryMechanism() {}; | QueryMechanism",
      "return new PrefixMechanism() {}; | PrefixMechanism",
      "return new dev.sotto.learner.release.PrefixSum(3); | PrefixSum",
      "return new NoiseState() {}; | NoiseState",
      "return new Mechanism() {}; | Mechanism",
      "return new dev.sotto.learner.mechanism.NoNoise(); | NoNoise",
      "return new dev.sotto.learner.mechanism.LaplaceNoise(); | LaplaceNoise",
      "return new dev.sotto.learner.mechanism.BinaryTree(); | BinaryTree",
      "return new dev.sotto.learner.key.Keystream(null, 0, 1); | Keystream");

  private static JavaFileObject source(String name, String statement) {
    String source =
        "package outside; import dev.sotto.learner.key.*; import dev.sotto.learner.mechanism.*;"
            + " import dev.sotto.learner.release.*; class " + name + " {"
            + " Object steal(ClippedSum sum, NoisySum noisy, Lattice lattice, Releaser releaser) { "
            + statement + " } }";
    return new SimpleJavaFileObject(
        URI.create("string:///outside/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignore) {
        return source;
      }
    };
  }

  /** What the compiler says of each file. */
  private static Map<String, String> compile(List<JavaFileObject> files) {
    DiagnosticCollector<JavaFileObject> faults = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-d", out.toString(), "-cp", System.getProperty("java.class.path"));
    boolean compiled = ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, faults, options, null, files)
        .call();
    Map<String, String> said = new HashMap<>();
    faults
        .getDiagnostics()
        .forEach(each -> said.merge(each.getSource().getName(), each.toString(), String::concat));
    assertThat(compiled).isEqualTo(said.isEmpty());
    return said;
  }

  @Test
  void keepsOthersFromReadingSumsAndForgingAnswers() {
    List<JavaFileObject> files = new ArrayList<>();
    for (String each : THEFTS) {
      files.add(source("Thief" + files.size(), each.split(" \\| ")[0]));
    }
    Map<String, String> said = compile(files);
    for (int i = 0; i < files.size(); i++) {
      // It is this name that is refused, rather than a word that means nothing.
      assertThat(said.get(files.get(i).getName()))
          .as(THEFTS.get(i))
          .containsPattern(
              "(is not public in|cannot be applied to|is not allowed|must not extend sealed|has private access|not public)")
          .contains(THEFTS.get(i).split(" \\| ")[1])
          .doesNotContain("cannot find symbol");
    }
  }

  @Test
  void letsOthersDoWhatTheyMay() {
    String allowed =
        "double[] mean = new double[3]; noisy.mean(mean); sum.addNothing(); sum.merge(new ClippedSum(lattice)); return sum.slots();";
    assertThat(compile(List.of(source("Friend", allowed)))).isEmpty();
  }
}
