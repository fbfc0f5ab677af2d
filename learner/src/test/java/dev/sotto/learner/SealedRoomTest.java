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
class SealedRoomTest {
  @TempDir
  Path out;

  private String compile(String statement) throws IOException {
    String source =
        "package outside; import dev.sotto.learner.release.*; class Thief { Object steal(ClippedSum sum, NoisySum noisy,"
            + " Lattice lattice, Releaser releaser) { " + statement + " } }";
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
        "return sum.sum;",
        "return sum.lattice();",
        "sum.clear(); return null;",
        "sum.restore(new double[3], 1); return null;",
        "return new NoisySum(1, null, lattice);",
        "return new PrefixSum(3);",
        "return new NoiseWalk() {};",
        "return new Mechanism() {};",
        "return new KeyedNoise(null, 1);",
        "return new NoNoise();",
        "return new HonakerTree();",
        "return new LaplaceNoise();",
        "return Norm.L1.of(new double[3]);",
      })
  void keepsOthersFromReadingSumsAndForgingAnswers(String statement) throws IOException {
    assertThat(compile(statement)).isNotEmpty();
  }

  @Test
  void letsOthersDoWhatTheyMay() throws IOException {
    assertThat(
            compile(
                "double[] mean = new double[3]; noisy.mean(mean); sum.addNothing(); sum.merge(new ClippedSum(lattice)); return sum.slots();"))
        .isEmpty();
  }
}
