package dev.sotto.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.broker.BrokerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of this machine's packages with an empty database, for tests. It does not run
 * as root, so root starts it as the user postgres.
 */
final class TemporaryPostgres implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final String USER = "sotto";

  private final Path programs;
  private final Path folder;
  private final int port = BrokerSettings.freePort();

  /** The folder of initdb and pg_ctl, if there is one. */
  static Optional<Path> programs() {
    if (!Files.isDirectory(DEBIAN)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(DEBIAN)) {
      return versions
          .map(each -> each.resolve("bin"))
          .filter(each -> Files.isExecutable(each.resolve("initdb")))
          .max(Comparator.naturalOrder());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  TemporaryPostgres(Path programs) throws Exception {
    this.programs = programs;
    folder = Files.createTempDirectory("sotto-postgres");
    if (isRoot()) {
      run(List.of("chown", "postgres", folder.toString()));
    }
    own("initdb", "--auth=trust", "--username=" + USER, "--encoding=UTF8", "-D", data());
    String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''";
    own("pg_ctl", "-D", data(), "-w", "-l", folder + "/log", "-o", options, "start");
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Of the database, as JDBC wants it. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
  }

  String user() {
    return USER;
  }

  /** The rows of a query, columns divided by bars. */
  List<String> rows(String query) throws Exception {
    return run(List.of(
            programs.resolve("psql").toString(),
            "--host=127.0.0.1",
            "--port=" + port,
            "--username=" + USER,
            "--dbname=postgres",
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--command=" + query))
        .lines()
        .toList();
  }

  /** The rows of a table; 0 where there is no such table. */
  long count(String table) throws Exception {
    boolean there = rows("SELECT to_regclass('" + table + "') IS NOT NULL").equals(List.of("t"));
    return there ? Long.parseLong(rows("SELECT count(*) FROM " + table).get(0)) : 0;
  }

  private void own(String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private String run(List<String> command) throws Exception {
    Path output = Files.createTempFile("sotto-postgres", ".out");
    try {
      int code = new ProcessBuilder(command)
          .directory(Path.of("/").toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile()) // a server that is started keeps it open
          .start()
          .waitFor();
      String text = Files.readString(output, UTF_8);
      assertThat(code).as(command + ":\n" + text).isZero();
      return text;
    } finally {
      Files.delete(output);
    }
  }

  @Override
  public void close() {
    try {
      own("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
      delete();
    } catch (Exception failed) {
      throw new IllegalStateException("PostgreSQL in " + folder + " must end, but did not", failed);
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
