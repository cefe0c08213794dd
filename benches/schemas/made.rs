//! What is measured: documents of schemas, and configurations that use them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use overfold_cli::schema::SchemaStore;
use overfold_cli::source::SchemaFolder;
use tempfile::TempDir;

/// The number of instances in the configuration that repeats few blocks.
const INSTANCES: usize = 10_000;

/// The bytes of the configuration that has many blocks.
const BYTES: usize = 250_000;

/// The schemas of one provider.
pub(crate) struct Provider {
    pub(crate) name: &'static str,
    /// The folder of its documents.
    pub(crate) address: &'static str,
    /// The name of the document in it.
    pub(crate) file: &'static str,
    /// What the file contains.
    pub(crate) packed: Vec<u8>,
    /// The document.
    pub(crate) text: String,
    /// Ten types, each with the content of a block; `@` stands for a number in an expression, `#` for one in a text.
    kinds: [(&'static str, &'static str); 10],
    head: &'static str,
}

/// A configuration.
pub(crate) struct Configuration {
    pub(crate) name: &'static str,
    /// How many instances the plan has.
    pub(crate) instances: usize,
    /// Paths and texts.
    pub(crate) files: Vec<(String, String)>,
}

impl Configuration {
    pub(crate) fn bytes(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }
}

const MADE: &str = r##"
  name   = "service-#"
  size   = @
  labels = { team = "core", number = "#" }
  disk {
    size  = 20
    class = "fast"
  }
  rule {
    from = 80
    to   = 443
  }
"##;

const AWS: [(&str, &str); 10] = [
    (
        "aws_instance",
        "\n  ami           = \"ami-#\"\n  instance_type = \"t3.small\"\n  tags          = { Name = \"web-#\" }\n  root_block_device {\n    volume_size = 20\n  }\n",
    ),
    ("aws_s3_bucket", "\n  bucket = \"logs-#\"\n  tags   = { Team = \"core\" }\n"),
    (
        "aws_security_group",
        "\n  name        = \"web-#\"\n  description = \"For the web.\"\n  ingress {\n    from_port   = 443\n    to_port     = 443\n    protocol    = \"tcp\"\n    cidr_blocks = [\"10.0.0.0/8\"]\n  }\n",
    ),
    (
        "aws_iam_role",
        "\n  name               = \"role-#\"\n  assume_role_policy = jsonencode({ Statement = [{ Effect = \"Allow\", Action = \"sts:AssumeRole\" }] })\n",
    ),
    ("aws_vpc", "\n  cidr_block = \"10.0.0.0/16\"\n  tags       = { Name = \"net-#\" }\n"),
    ("aws_subnet", "\n  vpc_id     = \"vpc-#\"\n  cidr_block = \"10.0.1.0/24\"\n"),
    (
        "aws_lambda_function",
        "\n  function_name = \"job-#\"\n  role          = \"arn:aws:iam::123456789012:role/job\"\n  handler       = \"main\"\n  runtime       = \"python3.12\"\n  filename      = \"job.zip\"\n  environment {\n    variables = { NUMBER = \"#\" }\n  }\n",
    ),
    ("aws_sqs_queue", "\n  name          = \"work-#\"\n  delay_seconds = 90\n"),
    ("aws_cloudwatch_log_group", "\n  name              = \"/app/#\"\n  retention_in_days = 30\n"),
    (
        "aws_dynamodb_table",
        "\n  name         = \"table-#\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key     = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n",
    ),
];

const MADE_NAMES: [&str; 10] = [
    "made_address",
    "made_bucket",
    "made_cluster",
    "made_database",
    "made_gateway",
    "made_machine",
    "made_network",
    "made_queue",
    "made_role",
    "made_table",
];

impl Provider {
    /// Returns a provider with 1,600 types.
    pub(crate) fn made() -> Self {
        let mut types = String::new();
        for n in 0..1600 {
            let name = match MADE_NAMES.get(n / 160).filter(|_| n % 160 == 0) {
                Some(name) => (*name).to_owned(),
                None => format!("made_{:04}_thing", n * 7919 % 10_000),
            };
            let _ = write!(types, "{}\"{name}\":{}", if n == 0 { "" } else { "," }, kind(n));
        }
        let text = format!(
            "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/example/made\":{{\"provider\":{{\"version\":0,\"block\":{{\"attributes\":{{\"zone\":{{\"type\":\"string\",\"optional\":true}}}}}}}},\"resource_schemas\":{{{types}}}}}}}}}"
        );
        Self {
            name: "made",
            address: "registry.terraform.io/example/made",
            file: "1.0.0.json",
            packed: text.clone().into_bytes(),
            text,
            kinds: MADE_NAMES.map(|name| (name, MADE)),
            head: "terraform {\n  required_providers {\n    made = {\n      source = \"example/made\"\n    }\n  }\n}\n",
        }
    }

    /// Returns hashicorp/aws, of which the folder has the document.
    pub(crate) fn aws(folder: &Path) -> Self {
        let packed = fs::read(folder.join("aws.json.xz")).unwrap();
        let (address, file) = ("registry.terraform.io/hashicorp/aws", "6.47.0.json.xz");
        let place = TempDir::new().unwrap();
        fs::create_dir_all(place.path().join(address)).unwrap();
        fs::write(place.path().join(address).join(file), &packed).unwrap();
        let stored = SchemaStore::new(SchemaFolder::new(place.path().to_owned())).now();
        let document = stored.read(stored.listing().newest(address, |_| true).unwrap()).unwrap();
        Self {
            name: "aws",
            address,
            file,
            packed,
            text: document.text().to_owned(),
            kinds: AWS,
            head: "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n    }\n  }\n}\n",
        }
    }

    pub(crate) fn configurations(&self) -> [Configuration; 3] {
        [self.five_blocks(), self.many_blocks(), self.many_instances()]
    }

    /// A block of each of five types.
    fn five_blocks(&self) -> Configuration {
        let mut text = self.head.to_owned();
        for kind in self.kinds.iter().step_by(2) {
            block(&mut text, kind, "a", "", "1");
        }
        Configuration { name: "five blocks", instances: 5, files: vec![("main.tf".to_owned(), text)] }
    }

    /// Many blocks of ten types.
    fn many_blocks(&self) -> Configuration {
        let mut text = self.head.to_owned();
        let mut blocks = 0;
        for (n, kind) in self.kinds.iter().cycle().enumerate() {
            if text.len() > BYTES {
                break;
            }
            block(&mut text, kind, &format!("r{n}"), "", &n.to_string());
            blocks += 1;
        }
        Configuration { name: "many blocks", instances: blocks, files: vec![("main.tf".to_owned(), text)] }
    }

    /// Ten types, each in a thousand instances: by `count`, by `for_each`, and in a module with `count`.
    fn many_instances(&self) -> Configuration {
        let each = INSTANCES / self.kinds.len();
        let (mut root, mut called) = (self.head.to_owned(), format!("{}variable \"number\" {{\n}}\n", self.head));
        for (n, kind) in self.kinds.iter().enumerate() {
            match n {
                0..4 => block(&mut root, kind, "a", &format!("\n  count = {each}"), "count.index"),
                4..7 => {
                    let keys = format!("\n  for_each = toset([for n in range({each}) : tostring(n)])");
                    block(&mut root, kind, "a", &keys, "each.key");
                }
                _ => block(&mut called, kind, "a", "", "var.number"),
            }
        }
        let _ = writeln!(root, "module \"m\" {{\n  source = \"./m\"\n  count  = {each}\n  number = count.index\n}}");
        let files = vec![("main.tf".to_owned(), root), ("m/main.tf".to_owned(), called)];
        Configuration { name: "many instances", instances: INSTANCES, files }
    }
}

fn block(text: &mut String, (kind, content): &(&str, &str), name: &str, repeat: &str, number: &str) {
    let content = content.replace('#', &format!("${{{number}}}")).replace('@', number);
    let _ = writeln!(text, "resource \"{kind}\" \"{name}\" {{{repeat}{content}}}");
}

/// Returns the schema of a type.
fn kind(n: usize) -> String {
    let mut attributes = String::new();
    for (name, rest) in [
        ("name", "\"type\":\"string\",\"required\":true"),
        ("size", "\"type\":\"number\",\"optional\":true"),
        ("zone", "\"type\":\"string\",\"optional\":true,\"computed\":true"),
        ("labels", "\"type\":[\"map\",\"string\"],\"optional\":true"),
        ("all_labels", "\"type\":[\"map\",\"string\"],\"optional\":true,\"computed\":true"),
        ("addresses", "\"type\":[\"list\",[\"object\",{\"ip\":\"string\",\"port\":\"number\"}]],\"computed\":true"),
        ("id", "\"type\":\"string\",\"optional\":true,\"computed\":true"),
    ] {
        let _ = write!(attributes, "\"{name}\":{{{rest}}},");
    }
    for k in 0..10 + n % 5 {
        let how = if k % 3 == 0 { "\"computed\":true" } else { "\"optional\":true" };
        let _ = write!(attributes, "\"setting_{k}\":{{\"type\":\"string\",{how}}},");
    }
    attributes.pop();
    let disk = "\"disk\":{\"nesting_mode\":\"list\",\"block\":{\"attributes\":{\"size\":{\"type\":\"number\",\"required\":true},\"class\":{\"type\":\"string\",\"optional\":true},\"number\":{\"type\":\"number\",\"computed\":true}}}}";
    let rule = "\"rule\":{\"nesting_mode\":\"set\",\"block\":{\"attributes\":{\"from\":{\"type\":\"number\",\"optional\":true},\"to\":{\"type\":\"number\",\"optional\":true},\"note\":{\"type\":\"string\",\"optional\":true}}}}";
    let timeouts = "\"timeouts\":{\"nesting_mode\":\"single\",\"block\":{\"attributes\":{\"create\":{\"type\":\"string\",\"optional\":true}}}}";
    format!(
        "{{\"version\":0,\"block\":{{\"attributes\":{{{attributes}}},\"block_types\":{{{disk},{rule},{timeouts}}}}}}}"
    )
}
