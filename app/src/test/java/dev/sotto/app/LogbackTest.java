package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.StatusUtil;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.LogSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class LogbackTest {
  @Test
  void keepsKafkasLinesAndStackTracesInside(@TempDir Path folder) throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream console = new ByteArrayOutputStream();
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("sotto.log.dir", folder.toString());
    System.setErr(new PrintStream(console, true, StandardCharsets.UTF_8));
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(LogbackTest.class.getResource("/logback.xml"));
      context.getLogger("org.apache.kafka.clients.NetworkClient").warn("theirs");
      context.getLogger("inside.fields").warn("of a record");
      context.getLogger("dev.sotto.app.Main").info("quiet");
      context.getLogger("dev.sotto.app.Main").warn("ours", new IllegalStateException("cause"));
    } finally {
      System.setErr(before);
      context.stop();
    }
    assertThat(console.toString(StandardCharsets.UTF_8))
        .isEqualTo("WARN  ours" + System.lineSeparator());
    assertThat(onlyFile(folder, "sotto-"))
        .contains("quiet", "ours")
        .doesNotContain("theirs", "of a record", "cause", "IllegalStateException");
    assertThat(onlyFile(folder.resolve("inside"), "kafka-"))
        .contains("theirs", "of a record", "quiet", "ours", "IllegalStateException: cause");
  }

  @Test
  void keepsFilesOfItsOwnForEachInstance(@TempDir Path folder) throws Exception {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("sotto.log.dir", folder.toString());
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(LogbackTest.class.getResource("/logback.xml"));
      context.getLogger("dev.sotto.app.Main").info("before");
      LogSource.name(context, "flights", "host-1a2b3c");
      context.getLogger("dev.sotto.app.Main").info("after");
    } finally {
      context.stop();
    }
    try (var files = Files.list(folder)) {
      List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
      assertThat(all).hasSize(2);
      assertThat(all.get(0).getFileName().toString()).matches("sotto-\\d{4}-.*\\.0\\.log");
      assertThat(all.get(1).getFileName().toString())
          .matches("sotto-flights-host-1a2b3c-\\d{4}-.*\\.0\\.log");
      assertThat(Files.readString(all.get(0)))
          .contains(" sotto [", "before")
          .doesNotContain("after");
      assertThat(Files.readString(all.get(1))).contains(" sotto-flights-host-1a2b3c [", "after");
    }
  }

  @Test
  void tellsInstancesApartByMachineAndStateFolder() {
    String one = LogSource.instance(Path.of("/var/a"));
    assertThat(one)
        .matches("[A-Za-z0-9._-]+-[0-9a-f]{6}")
        .isEqualTo(LogSource.instance(Path.of("/var/./a")));
    assertThat(LogSource.instance(Path.of("/var/b"))).isNotEqualTo(one);
  }

  /** On standard output only what may leave; the rest in a folder, or nowhere. */
  @ParameterizedTest
  @CsvSource({"stdout,INSIDE", "stdout,NONE", "json,INSIDE", "json,NONE"})
  void saysOnStandardOutputOnlyWhatMayLeave(String format, String inside, @TempDir Path folder)
      throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream console = new ByteArrayOutputStream();
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("sotto.log.dir", folder.toString());
    context.putProperty("sotto.log.inside", inside);
    System.setOut(new PrintStream(console, true, StandardCharsets.UTF_8));
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(LogbackTest.class.getResource("/logback-" + format + ".xml"));
      context.getLogger("org.apache.kafka.clients.NetworkClient").warn("theirs");
      context.getLogger("inside.fields").warn("of a record");
      context.getLogger("dev.sotto.app.Main").info("quiet {}", 1);
      context.getLogger("dev.sotto.app.Main").warn("ours", new IllegalStateException("cause"));
    } finally {
      System.setOut(before);
      context.stop();
    }
    String said = console.toString(StandardCharsets.UTF_8);
    assertThat(said.lines()).hasSize(2);
    assertThat(said).contains("quiet 1", "ours").doesNotContain("theirs", "of a record", "cause");
    if (format.equals("json")) {
      assertThat(new ObjectMapper()
              .readTree(said.lines().findFirst().orElseThrow())
              .get("formattedMessage")
              .asText())
          .isEqualTo("quiet 1");
    }
    if (inside.equals("NONE")) {
      assertThat(folder).isEmptyDirectory();
    } else {
      assertThat(onlyFile(folder.resolve("inside"), "kafka-"))
          .contains("theirs", "quiet 1", "IllegalStateException: cause");
    }
  }

  private static String onlyFile(Path folder, String start) throws IOException {
    try (var files = Files.list(folder)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).hasSize(1);
      assertThat(all.get(0).getFileName().toString()).startsWith(start);
      return Files.readString(all.get(0));
    }
  }

  @Test
  void saysInOneLineOfStandardErrorThatLogsCannotBeWritten(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("sotto.log.dir", file.toString()); // no folder
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(LogbackTest.class.getResource("/logback.xml"));
      assertThat(StatusUtil.contextHasStatusListener(context)).isTrue(); // else all is printed
      context.getLogger("dev.sotto.app.Main").info("quiet");
    } finally {
      System.setOut(out);
      System.setErr(err);
      context.stop();
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .startsWith("sotto: logs cannot be written: ")
        .endsWith("; name a folder for them with SOTTO_LOG_DIR" + System.lineSeparator())
        .containsOnlyOnce("sotto:");
  }

  @Test
  void sendsWhatSaysLog4jToTheSameLog() {
    assertThat(LoggerFactory.getILoggerFactory()).isInstanceOf(LoggerContext.class);
    assertThat(org.apache.logging.log4j.LogManager.getFactory().getClass().getName())
        .isEqualTo("org.apache.logging.slf4j.SLF4JLoggerContextFactory");
  }
}
