package dev.sotto.learner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks the compiler itself what code outside the release package can do with a sum. */
class ClosedReleaseTest {
  @TempDir
  Path out;

  private String compile(String statement) throws IOException {
    String source =
        "package outside; import dev.sotto.learner.key.*; import dev.sotto.learner.mechanism.*;"
            + " import dev.sotto.learner.release.*; class Thief {"
            + " Object steal(ClippedSum sum, NoisySum noisy, Lattice lattice, Releaser releaser) { "
            + statement + " } }";
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> faults = new DiagnosticCollector<>();
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///outside/Thief.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignore) {
            return source;
          }
        };
    List<String> options =
        List.of("-d", out.toString(), "-cp", System.getProperty("java.class.path"));
    boolean compiled =
        compiler.getTask(null, null, faults, options, null, List.of(file)).call();
    return compiled ? "" : faults.getDiagnostics().toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return sum.sum; | sum",
        "return sum.lattice(); | lattice",
        "sum.clear(); return null; | clear",
        "sum.restore(new double[3], 1); return null; | restore",
        "return new NoisySum(1, null, lattice); | NoisySum",
        "return NoisySum.ofQuery(1, new long[3], 1, 1); | ofQuery",
        "return NoisySum.ofTree(1, null, 1, 1); | ofTree",
        "return new OwnMechanism() {}; | OwnMechanism",
        "return new dev.sotto.learner.release.PrefixSum(3); | PrefixSum",
        "return new NoiseState() {}; | NoiseState",
        "return new Mechanism() {}; | Mechanism",
        "return new dev.sotto.learner.mechanism.NoNoise(); | NoNoise",
        "return new dev.sotto.learner.mechanism.HonakerTree(); | HonakerTree",
        "return new dev.sotto.learner.mechanism.LaplaceNoise(); | LaplaceNoise",
        "return new dev.sotto.learner.mechanism.BinaryTree(); | BinaryTree",
        "return new dev.sotto.learner.key.Keystream(null, 0, 1); | Keystream",
      })
  void keepsOthersFromReadingSumsAndForgingAnswers(String each) throws IOException {
    String[] parts = each.split(" \\| ");
    // It is this name that is refused, rather than a word that means nothing.
    assertThat(compile(parts[0]))
        .containsPattern(
            "(is not public in|cannot be applied to|is not allowed|must not extend sealed|has private access|not public)")
        .contains(parts[1])
        .doesNotContain("cannot find symbol");
  }

  @Test
  void letsOthersDoWhatTheyMay() throws IOException {
    assertThat(
            compile(
                "double[] mean = new double[3]; noisy.mean(mean); sum.addNothing(); sum.merge(new ClippedSum(lattice)); return sum.slots();"))
        .isEmpty();
  }
}
