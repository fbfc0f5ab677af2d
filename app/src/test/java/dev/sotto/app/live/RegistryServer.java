package dev.sotto.app.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.awaitility.Awaitility;

/** Apicurio's registry as a process of its own, with its data in a folder. */
final class RegistryServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path PROGRAM =
      Path.of(System.getProperty("sotto.registry.server", "target/registry-server"));

  private final Path folder;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();
  private Process process;

  RegistryServer(Path folder) throws IOException {
    this.folder = folder;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
  }

  /** The program's jar; empty where it has not been fetched. */
  static Optional<Path> program() throws IOException {
    if (!Files.isDirectory(PROGRAM)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(PROGRAM)) {
      return files.filter(each -> each.toString().endsWith("-runner.jar")).findFirst();
    }
  }

  /** Of its own paths. */
  URI ownUrl() {
    return URI.create("http://127.0.0.1:" + port + "/apis/registry/v2");
  }

  /** What it says of the newest version of an artifact, its two numbers among it. */
  JsonNode about(String artifact) throws IOException, InterruptedException {
    String path = ownUrl() + "/groups/default/artifacts/" + artifact + "/meta";
    return JSON.readTree(send(HttpRequest.newBuilder(URI.create(path))).body());
  }

  /** What stands before {@code /schemas}. */
  URI url() {
    return URI.create("http://127.0.0.1:" + port + "/apis/ccompat/v7");
  }

  /** Starts it, also after a kill, and waits until it answers. */
  void start() throws IOException {
    process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx400m",
            "-Dquarkus.http.host=127.0.0.1",
            "-Dquarkus.http.port=" + port,
            "-Dquarkus.datasource.jdbc.url=jdbc:h2:file:" + folder.resolve("registry"),
            "-jar",
            program().orElseThrow().toString())
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(folder.resolve("registry.log").toFile()))
        .start();
    Awaitility.await()
        .dontCatchUncaughtExceptions() // a learner's threads may end meanwhile
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(300))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> send(HttpRequest.newBuilder(url("/subjects"))).statusCode() == 200);
  }

  /** Registers a schema, as a producer does; its id. */
  int register(String subject, Schema schema) throws IOException, InterruptedException {
    return register(subject, Map.of("schema", schema.toString()));
  }

  /** The same of a schema of any kind, with what it refers to. */
  int register(String subject, Map<String, ?> schema) throws IOException, InterruptedException {
    String body = JSON.writeValueAsString(schema);
    HttpResponse<String> answer =
        send(HttpRequest.newBuilder(url("/subjects/" + subject + "/versions"))
            .header("Content-Type", "application/vnd.schemaregistry.v1+json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
    if (answer.statusCode() != 200) {
      throw new IOException("it answered " + answer.statusCode() + ": " + answer.body());
    }
    return JSON.readTree(answer.body()).get("id").intValue();
  }

  private URI url(String path) {
    return URI.create(url() + path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(
        request.timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Ends it as a lost machine would. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
