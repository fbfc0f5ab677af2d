package dev.sotto.topology.registry;

import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Asks a registry with Confluent's HTTP interface for one schema at a time. No message repeats what
 * the registry answers, or the credentials.
 */
public final class RegistryClient {
  /** What a request is authorized by. */
  @FunctionalInterface
  public interface Authorization {
    /** The value of the header, before each request; empty text for none. */
    String header() throws IOException;
  }

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int LONGEST = 4 << 20;

  private final URI url;
  private final Authorization authorization;
  private final HttpClient http;

  /**
   * A client, which connects when it is asked.
   *
   * @param url what stands before {@code /schemas}
   * @param authorization asked before each request
   * @param tls empty for that of the Java runtime
   */
  public RegistryClient(URI url, Authorization authorization, Optional<SSLContext> tls) {
    this.url = url;
    this.authorization = authorization;
    HttpClient.Builder builder = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(PATIENCE);
    tls.ifPresent(builder::sslContext);
    http = builder.build();
  }

  /** What stands before {@code /schemas}. */
  public URI url() {
    return url;
  }

  /**
   * What the registry says of an id.
   *
   * @throws IOException where it says nothing that decides
   * @throws IllegalArgumentException where the schema cannot be used
   */
  RegisteredSchema ask(SchemaId id) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create(url.toString().replaceAll("/+$", "") + "/schemas/" + id.path()))
        .timeout(PATIENCE)
        .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    String credentials = authorization.header();
    if (!credentials.isEmpty()) {
      request.header("Authorization", credentials);
    }
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    String body = answer.body();
    if (body.length() > LONGEST) {
      throw new IOException("it answered more than " + LONGEST + " characters");
    }
    return switch (answer.statusCode()) {
      case 200 -> schema(id, body);
      case 401, 403 ->
        throw new IOException(
            "it answered " + answer.statusCode() + ": check events.registry.auth and the secret");
      case 404 -> {
        // A proxy, or a wrong path, answers 404 for everything; a registry says what is missing.
        if (RegisteredSchema.errorCode(body) / 100 != 404) {
          throw new IOException(
              "it answered 404 without a registry's error code: check events.registry.url"
                  + (id.guid() == null ? "" : ", and whether it has GUIDs of schemas"));
        }
        yield new RegisteredSchema(id, Optional.empty());
      }
      default -> throw new IOException("it answered " + answer.statusCode());
    };
  }

  private static RegisteredSchema schema(SchemaId id, String body) throws IOException {
    if (!body.stripLeading().startsWith("{") || !body.contains("\"schema\"")) {
      throw new IOException("it answered no schema: check events.registry.url");
    }
    return RegisteredSchema.answer(id, body);
  }
}
