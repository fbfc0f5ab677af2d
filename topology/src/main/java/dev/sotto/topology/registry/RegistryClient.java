package dev.sotto.topology.registry;

import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.schema.WriterSchema;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;

/**
 * Asks a registry with Confluent's HTTP interface for one schema, or one id, at a time, and {@link
 * ApicurioPaths} for Apicurio's ids. No message repeats what the registry answers, or the
 * credentials.
 */
public final class RegistryClient {
  /** What a request is authorized by. */
  @FunctionalInterface
  public interface Authorization {
    /** The value of the header, before each request; empty text for none. */
    String header() throws IOException;
  }

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int LONGEST = 4 << 20; // bytes

  /** Why a schema cannot be used that is longer. */
  static final String TOO_LONG = "it is longer than " + LONGEST + " bytes";

  /** Refusals that are not for what was asked. */
  private static final Set<Integer> OF_ALL_REQUESTS = Set.of(401, 407, 408, 421, 425, 429);

  private final URI url;
  private final String settings;
  private final Authorization authorization;
  private final Duration patience;
  private final HttpClient http;
  private final ApicurioPaths apicurio;

  /**
   * A client of events' schemas, which connects when it is asked.
   *
   * @param url what stands before {@code /schemas}
   * @param authorization asked before each request
   * @param tls empty for that of the Java runtime
   */
  public RegistryClient(URI url, Authorization authorization, Optional<SSLContext> tls) {
    this(url, authorization, tls, RegistrySettings.PREFIX);
  }

  /**
   * A client, which connects when it is asked.
   *
   * @param settings how the names of the settings begin that messages name
   */
  RegistryClient(URI url, Authorization authorization, Optional<SSLContext> tls, String settings) {
    this(url, authorization, tls, settings, PATIENCE);
  }

  /**
   * The same with another limit.
   *
   * @param patience how long it waits for a connection, and again for an answer
   */
  RegistryClient(
      URI url,
      Authorization authorization,
      Optional<SSLContext> tls,
      String settings,
      Duration patience) {
    this.url = url;
    this.patience = patience;
    this.settings = settings;
    this.authorization = authorization;
    HttpClient.Builder builder = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(patience);
    tls.ifPresent(builder::sslContext);
    http = builder.build();
    apicurio = ApicurioPaths.at(url, this::apicurio);
  }

  /** What stands before {@code /schemas}. */
  public URI url() {
    return url;
  }

  /** Why it does not answer as a registry does; empty where it does. Asks once. */
  public Optional<String> fault() {
    try {
      answer(any(ApicurioPaths.areAt(url)));
    } catch (IOException none) {
      return Optional.of(reason(none));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
    return Optional.empty();
  }

  /** The request whose answer tells that there is a registry, whatever the answer is. */
  private static SchemaId any(boolean apicurios) {
    return SchemaId.of(apicurios ? SchemaId.By.GLOBAL_ID : SchemaId.By.ID, 1);
  }

  /** Why nothing was answered, in a few words. */
  static String reason(IOException none) {
    return none.getMessage() == null ? none.getClass().getSimpleName() : none.getMessage();
  }

  /**
   * What the registry has under an id. Where it refuses the one request, before and after it has
   * answered another one, it has nothing under that id for us: a record must not keep a learner
   * waiting by what it names.
   *
   * @return empty where it has nothing
   * @throws IOException where it says nothing that decides
   */
  Optional<RegisteredSchema> ask(SchemaId id) throws IOException, InterruptedException {
    try {
      return answer(id);
    } catch (RequestRefusedException refused) {
      SchemaId any = any(id.isApicurios());
      if (id.equals(any)) {
        throw refused;
      }
      answer(any);
    }
    try {
      return answer(id);
    } catch (RequestRefusedException again) {
      return Optional.empty();
    }
  }

  private Optional<RegisteredSchema> answer(SchemaId id) throws IOException, InterruptedException {
    if (id.isApicurios()) {
      return apicurio.schema(id);
    }
    BoundedBody.Text answer = send(request(id.path()));
    if (answer.status() == 200) {
      return Optional.of(schema(id, answer));
    }
    if (answer.status() == 404) {
      requireItsOwn(
          answer.body(),
          id.guid() == null ? "" : ", and whether this registry has GUIDs of schemas");
      return Optional.empty();
    }
    throw undecided(answer);
  }

  /** What Apicurio answers to one of its own paths. */
  private Optional<BoundedBody.Text> apicurio(String path)
      throws IOException, InterruptedException {
    BoundedBody.Text answer = send(request(path).setHeader("Accept", "*/*"));
    if (answer.status() == 200) {
      return Optional.of(answer);
    }
    if (answer.status() != 404) {
      throw undecided(answer);
    }
    if (!RegisteredSchema.isApicuriosMissing(answer.body())) {
      throw new RequestRefusedException("it answered 404, and not as Apicurio does: check "
          + settings + "url, which must end with /apis/registry/v2 or /apis/registry/v3");
    }
    return Optional.empty();
  }

  /**
   * The id of a schema under a subject.
   *
   * @param register whether it may be registered there
   * @throws IOException where the registry says nothing that decides
   * @throws IllegalArgumentException where it refuses the schema, or has it not
   */
  int id(String subject, Schema schema, boolean register) throws IOException, InterruptedException {
    String path = "/subjects/" + URLEncoder.encode(subject, StandardCharsets.UTF_8);
    BoundedBody.Text answer = send(request(path + (register ? "/versions" : ""))
        .header("Content-Type", "application/vnd.schemaregistry.v1+json")
        .POST(HttpRequest.BodyPublishers.ofString(RegisteredSchema.request(schema))));
    return switch (answer.status()) {
      case 200 -> given(answer.body());
      case 404 -> {
        requireItsOwn(answer.body(), "");
        throw new IllegalArgumentException("it has no such schema under this subject: register it"
            + " (./sotto schemas --out FOLDER writes it), or set " + settings + "schemas to"
            + " register");
      }
      case 409 ->
        throw new IllegalArgumentException(
            "it finds the schema incompatible with those that the subject has: are they of"
                + " something else? Otherwise set the compatibility of the subject to BACKWARD or"
                + " NONE");
      case 422 ->
        throw new IllegalArgumentException("it refuses the schema (422, error code "
            + RegisteredSchema.errorCode(answer.body()) + ")");
      default -> throw undecided(answer);
    };
  }

  /**
   * The newest schema under a subject; empty where it has none that can be used.
   *
   * @throws IOException where the registry says nothing that decides
   */
  public Optional<WriterSchema> newest(String subject) throws IOException, InterruptedException {
    if (ApicurioPaths.areAt(url)) {
      return apicurio.newest(subject).flatMap(RegisteredSchema::schema);
    }
    Optional<BoundedBody.Text> answer = version(subject, "latest");
    return answer.isEmpty()
        ? Optional.empty()
        : schema(SchemaId.of(0), answer.get()).schema();
  }

  private Optional<BoundedBody.Text> version(String subject, String version)
      throws IOException, InterruptedException {
    BoundedBody.Text answer = send(request("/subjects/"
        + URLEncoder.encode(subject, StandardCharsets.UTF_8) + "/versions/" + version));
    return switch (answer.status()) {
      case 200 -> Optional.of(answer);
      case 404 -> {
        requireItsOwn(answer.body(), "");
        yield Optional.empty();
      }
      default -> throw undecided(answer);
    };
  }

  /** A schema to which another one refers, whole. */
  private Optional<String> referred(String subject, String version)
      throws IOException, InterruptedException {
    Optional<BoundedBody.Text> answer = version(subject, version);
    if (answer.isPresent() && (answer.get().isCut() || !hasSchema(answer.get().body()))) {
      throw new IOException("it answered no schema: check " + settings + "url");
    }
    return answer.map(BoundedBody.Text::body);
  }

  private int given(String body) throws IOException {
    try {
      return RegisteredSchema.idOf(body);
    } catch (IllegalArgumentException none) {
      throw new IOException("it answered no id: check " + settings + "url", none);
    }
  }

  private HttpRequest.Builder request(String path) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create(url.toString().replaceAll("/+$", "") + path))
        .timeout(patience)
        .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    String credentials = authorization.header();
    if (!credentials.isEmpty()) {
      request.header("Authorization", credentials);
    }
    return request;
  }

  /** The whole exchange takes a bounded time, and its body a bounded room. */
  private BoundedBody.Text send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<BoundedBody.Text>> answer =
        http.sendAsync(request.build(), BoundedBody.handler(LONGEST));
    try {
      return answer.get(2 * patience.toMillis(), TimeUnit.MILLISECONDS).body();
    } catch (TimeoutException late) {
      throw new IOException("its answer took too long", late);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException none
          ? none
          : new IOException(failed.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  /** A proxy, or a wrong path, answers 404 for everything; a registry says what is missing. */
  private void requireItsOwn(String body, String further) throws IOException {
    if (RegisteredSchema.errorCode(body) / 100 != 404) {
      throw new RequestRefusedException(
          "it answered 404 without a registry's error code: check " + settings + "url" + further);
    }
  }

  private IOException undecided(BoundedBody.Text answer) {
    int status = answer.status();
    boolean refused = status == 401 || status == 403;
    String message =
        "it answered " + status + (refused ? ": check " + settings + "auth and the secret" : "");
    return status >= 400 && status < 500 && !OF_ALL_REQUESTS.contains(status)
        ? new RequestRefusedException(message)
        : new IOException(message);
  }

  private RegisteredSchema schema(SchemaId id, BoundedBody.Text answer)
      throws IOException, InterruptedException {
    String body = answer.body();
    if (!hasSchema(body)) {
      throw new IOException("it answered no schema: check " + settings + "url");
    }
    if (answer.isCut()) {
      return RegisteredSchema.unusable(id, TOO_LONG);
    }
    try {
      return RegisteredSchema.answer(id, body, this::referred);
    } catch (IllegalArgumentException none) {
      throw new IOException("it answered no schema: check " + settings + "url", none);
    }
  }

  private static boolean hasSchema(String body) {
    return body.stripLeading().startsWith("{") && body.contains("\"schema\"");
  }

  /** An answer that may be to the one request alone. */
  private static final class RequestRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RequestRefusedException(String message) {
      super(message);
    }
  }
}
