package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contexts, and what of all that names a learner wins. */
class ContextCommandTest extends CommandRuns {
  @TempDir
  private Path folder;

  private final Map<String, String> environment = new HashMap<>();

  @Override
  public int run(String... arguments) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    environment.put("XDG_CONFIG_HOME", folder.toString());
    return Main.commandLine(environment)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(arguments);
  }

  private Path file() {
    return folder.resolve("sotto/contexts.yaml");
  }

  private void made(String... arguments) {
    assertThat(run(arguments)).as(errors.toString()).isZero();
  }

  private String config(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  /** What a command with these flags would use. */
  private String shown(String... flags) {
    String[] all = new String[flags.length + 2];
    all[0] = "context";
    all[1] = "show";
    System.arraycopy(flags, 0, all, 2, flags.length);
    made(all);
    return out.toString().replaceAll(" +", " ");
  }

  @Test
  void keepsWhatWasSaidForItsOwnerAlone() throws IOException {
    made("context", "set", "prod", "--app-id", "flights", "--bootstrap-server", "b:1,c:2");
    assertThat(out.toString())
        .isEqualTo("context prod: app.id flights, bootstrap.servers b:1,c:2;"
            + " it is the current one" + System.lineSeparator());
    made("context", "set", "test", "--app-id", "trial");
    assertThat(out.toString()).contains("to make it the current one: sotto context use test");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    made("context", "set", "prod", "--app-id", "delays");
    made("context", "list");
    assertThat(out.toString().replaceAll(" +", " "))
        .contains("* prod app.id delays, bootstrap.servers b:1,c:2")
        .contains(" test app.id trial");
    made("context", "use", "test");
    assertThat(shown()).contains("context test", "app.id trial (context test)");
    made("context", "delete", "test");
    assertThat(out.toString()).contains("none is current now");
    made("context", "list", "--json");
    assertThat(out.toString())
        .contains("\"name\":\"prod\",\"current\":false,\"app.id\":\"delays\"");
    made("context", "delete", "prod");
    assertThat(file()).doesNotExist();
    made("context", "list");
    assertThat(out.toString()).contains("there is no context in " + file());
  }

  /** docs/contexts.md, What wins: from the last to the first. */
  @Test
  void theFirstThatHasAValueDecides() throws IOException {
    String yaml = config("a.yaml", "app.id: of-file\nbootstrap.servers: [file:1, file:2]\n");
    made("context", "set", "now", "--app-id", "of-now", "--bootstrap-server", "now:1");
    made("context", "set", "other", "--app-id", "of-other", "--bootstrap-server", "other:1");
    assertThat(shown())
        .contains("app.id of-now (context now)", "bootstrap.servers now:1 (context now)");
    environment.put("SOTTO_CONTEXT", "other");
    assertThat(shown()).contains("app.id of-other (context other)");
    assertThat(shown("-c", yaml))
        .contains("context none is used", "app.id of-file (" + yaml + " line 1)")
        .contains("bootstrap.servers file:1,file:2 (" + yaml + " line 2)");
    environment.put("SOTTO_BOOTSTRAP_SERVERS", "variable:1");
    assertThat(shown("-c", yaml))
        .contains("app.id of-file (")
        .contains("variable:1 (environment variable SOTTO_BOOTSTRAP_SERVERS)");
    assertThat(shown("--context", "now"))
        .contains("app.id of-now (context now)", "bootstrap.servers now:1 (context now)");
    assertThat(shown("--context", "now", "--set", "app.id=of-set"))
        .contains("app.id of-set (--set)", "bootstrap.servers now:1 (context now)");
    assertThat(shown("-c", yaml, "--app-id", "of-flag", "--bootstrap-server", "flag:1"))
        .contains("app.id of-flag (--app-id)", "flag:1 (--bootstrap-server)");
    assertThat(run("context", "show", "-c", yaml, "--context", "now"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--context and -c exclude each other");
  }

  @Test
  void aContextsCredentialsGoToItsOwnBrokersOnly() throws IOException {
    Path secrets = Path.of(config("client.properties", "sasl.jaas.config=hunter2\n"));
    Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-r--r--"));
    String[] set = {
      "context",
      "set",
      "prod",
      "--app-id",
      "a",
      "--bootstrap-server",
      "b:1",
      "--command-config",
      secrets.toString()
    };
    assertThat(run(set)).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString())
        .contains("has a secret (sasl.jaas.config)", "chmod 600 it")
        .doesNotContain("hunter2");
    Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-------"));
    made(set);
    assertThat(Files.readString(file())).doesNotContain("hunter2");
    assertThat(shown())
        .contains("sasl.jaas.config set (" + secrets + ")")
        .doesNotContain("hunter2");
    assertThat(shown("--bootstrap-server", "elsewhere:1"))
        .contains("app.id a (context prod)", "elsewhere:1 (--bootstrap-server)")
        .doesNotContain("sasl.jaas.config");
    environment.put("SOTTO_BOOTSTRAP_SERVERS", "elsewhere:1");
    assertThat(shown()).doesNotContain("sasl.jaas.config");
    environment.remove("SOTTO_BOOTSTRAP_SERVERS");
    Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-r-----"));
    assertThat(run("context", "show")).isEqualTo(ExitCode.CONFIGURATION.code());
  }

  @Test
  void refusesWhatIsNoContext() throws IOException {
    made("context", "set", "prod", "--app-id", "a");
    assertThat(run("context", "use", "prot")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("no context prot", "did you mean prod?");
    assertThat(run("ledger", "--context", "prot")).isEqualTo(ExitCode.USAGE.code());
    assertThat(run("context", "set", "a b", "--app-id", "a")).isEqualTo(ExitCode.USAGE.code());
    assertThat(run("context", "set", "empty")).isEqualTo(ExitCode.USAGE.code());
    assertThat(run("context", "set", "x", "--bootstrap-server", "user:password@b:1"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("must be HOST:PORT").doesNotContain("password@");
    assertThat(run("context", "set", "x", "-c", folder.resolve("none.yaml").toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(run("context")).isEqualTo(ExitCode.USAGE.code());

    String sound = Files.readString(file());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw----"));
    assertThat(run("context", "list")).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("must be writable by its owner alone");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    made("context", "list");
    for (String wrong : new String[] {
      sound + "    password: hunter2\n",
      sound.replace("current: prod", "current: test"),
      sound.replace("app.id", "command.config"),
      sound + "    bootstrap.servers: hunter2\n",
      "a list\n"
    }) {
      Files.writeString(file(), wrong);
      assertThat(run("context", "list")).as(wrong).isEqualTo(ExitCode.CONFIGURATION.code());
      assertThat(errors.toString()).contains(file().toString()).doesNotContain("hunter2");
    }
  }

  @Test
  void commandsAskForWhatIsNotNamed() throws IOException {
    assertThat(run("ledger")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("sotto context set");
    made("context", "set", "here", "--app-id", "minimal");
    assertThat(run("ledger")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("the brokers are not named");
    assertThat(run("explain", "points/0/1")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("explain needs the learner's configuration");
    String yaml = config("a.yaml", "app.id: x\nbootstrap.servers: 127.0.0.1:1\n");
    for (String each : new String[] {"ledger", "snapshot", "metrics"}) {
      assertThat(run(each, "-c", yaml)).as(each).isEqualTo(ExitCode.UNREACHABLE.code());
      assertThat(errors.toString()).contains("no broker answered at 127.0.0.1:1");
    }
    assertThat(run("alias", "list", "-c", yaml)).isEqualTo(ExitCode.UNREACHABLE.code());
    assertThat(run("predict", "-", "-c", yaml)).isEqualTo(ExitCode.UNREACHABLE.code());
    environment.put("SOTTO_BOOTSTRAP_SERVERS", "127.0.0.1:1");
    assertThat(run("ledger", "--app-id", "x")).isEqualTo(ExitCode.UNREACHABLE.code());
    assertThat(run("record", "--topic", "t", "--out", folder.resolve("r.rec").toString()))
        .isEqualTo(ExitCode.UNREACHABLE.code());
    assertThat(run("play", yaml, "--app-id", "x", "--topic", "t")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--app-id names a learner");
  }

  /** A context's configuration, with what the context says over it. */
  @Test
  void aContextNamesAConfiguration() throws IOException {
    Path minimal = Path.of(System.getProperty("basedir", "."), "../examples/minimal.yaml");
    made("context", "set", "one", "-c", minimal.toString(), "--bootstrap-server", "mine:1");
    made("describe", "--json");
    assertThat(out.toString()).contains("--bootstrap-server mine:1", "minimal.ledger");
    made("context", "set", "one", "--app-id", "later");
    made("describe", "--json");
    assertThat(out.toString()).contains("--bootstrap-server mine:1", "later.ledger");
    made("describe", "--json", "--bootstrap-server", "flag:1", "--app-id", "now");
    assertThat(out.toString()).contains("--bootstrap-server flag:1", "now.ledger");
    made("describe", "--json", "-c", minimal.toString());
    assertThat(out.toString()).contains("--bootstrap-server localhost:9092", "minimal.ledger");
  }
}
