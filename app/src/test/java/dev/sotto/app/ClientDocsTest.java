package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of Java that docs/client.md shows compile. */
class ClientDocsTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir
  private Path folder;

  private List<Diagnostic<? extends JavaFileObject>> errors(String lines) {
    String code = "import dev.sotto.client.*;\nimport dev.sotto.learner.example.RecordStatus;\n"
        + "import java.time.Duration;\nimport java.util.*;\n"
        + "class Shown { void run() throws Exception {\n" + lines + "}}\n";
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Shown.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignored) {
            return code;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options = List.of(
        "-proc:none", "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
    compiler.getTask(null, null, found, options, null, List.of(source)).call();
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .toList();
  }

  @Test
  void showsLinesThatCompile() throws IOException {
    String page = Files.readString(
        Path.of(System.getProperty("basedir", "."), "..", "docs", "client.md").normalize());
    Matcher block = JAVA.matcher(page);
    assertThat(block.find()).isTrue();
    assertThat(errors(block.group(1))).isEmpty();
    assertThat(errors(block.group(1).replace("await", "wait4")))
        .as("lines that do not compile are found")
        .isNotEmpty();
  }
}
